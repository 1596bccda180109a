//! Lets two processes show each other that they know one secret, without saying it.
//!
//! Each names itself, with a random number. Then each proves that it knows the secret by a digest
//! of both messages and of its own role. So a message that was heard once cannot be used again
//! later, or sent back to its sender.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// The purpose of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ConnectionKind {
    /// Timely sends parcels.
    Data,
    /// The processes watch each other, and end the work.
    Control,
}

/// The first bytes of every process.
const MAGIC: &[u8; 8] = b"cspsymcl";

/// The version of the protocol. The hellos and proofs of other versions are like these.
const PROTOCOL: u16 = 1;

const RANDOM: usize = 32;
const DIGEST: usize = 32;
const HELLO: usize = MAGIC.len() + 2 + RANDOM + 4 + 1 + 4 + 2 * DIGEST;

/// The first message of a process to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Hello {
    /// A random number.
    random: [u8; RANDOM],
    /// The number of the process.
    pub(super) process: u32,
    /// The purpose of the connection.
    pub(super) kind: ConnectionKind,
    /// The number of processes in its list.
    pub(super) processes: u32,
    /// A digest of its version.
    pub(super) version: [u8; DIGEST],
    /// A digest of the addresses that it knows.
    pub(super) hosts: [u8; DIGEST],
    protocol: u16,
}

impl Hello {
    /// The hello of a process, for one connection.
    pub(super) fn new(
        process: usize,
        kind: ConnectionKind,
        addresses: &[String],
    ) -> io::Result<Self> {
        let mut random = [0; RANDOM];
        getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
        let version = env!("CARGO_PKG_VERSION");
        Ok(Self {
            random,
            process: process as u32,
            kind,
            processes: addresses.len() as u32,
            version: digest([version]),
            hosts: digest(addresses.iter().map(String::as_str)),
            protocol: PROTOCOL,
        })
    }

    /// True if the other process has an equal version.
    pub(super) fn is_same_version(&self, other: &Self) -> bool {
        self.protocol == other.protocol && self.version == other.version
    }

    fn encode(&self) -> [u8; HELLO] {
        let kind = match self.kind {
            ConnectionKind::Data => 0,
            ConnectionKind::Control => 1,
        };
        let parts: [&[u8]; 8] = [
            MAGIC,
            &self.protocol.to_le_bytes(),
            &self.random,
            &self.process.to_le_bytes(),
            &[kind],
            &self.processes.to_le_bytes(),
            &self.version,
            &self.hosts,
        ];
        let mut bytes = [0; HELLO];
        for (place, byte) in bytes.iter_mut().zip(parts.into_iter().flatten()) {
            *place = *byte;
        }
        bytes
    }

    /// Reads a hello; `None` if a stranger has sent it.
    fn decode(bytes: &[u8; HELLO]) -> Option<Self> {
        let mut rest = &bytes[..];
        if take::<8>(&mut rest)? != *MAGIC {
            return None;
        }
        let protocol = u16::from_le_bytes(take(&mut rest)?);
        Some(Self {
            random: take(&mut rest)?,
            process: u32::from_le_bytes(take(&mut rest)?),
            kind: match take(&mut rest)? {
                [0] => ConnectionKind::Data,
                [1] => ConnectionKind::Control,
                _ => return None,
            },
            processes: u32::from_le_bytes(take(&mut rest)?),
            version: take(&mut rest)?,
            hosts: take(&mut rest)?,
            protocol,
        })
    }
}

/// Removes the first bytes of `rest`, and returns them.
fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, others) = rest.split_first_chunk()?;
    *rest = others;
    Some(*first)
}

fn digest<'t>(texts: impl IntoIterator<Item = &'t str>) -> [u8; DIGEST] {
    let mut digest = Sha256::new();
    for text in texts {
        // With its length, so that two texts are not one that is as long as both.
        digest.update((text.len() as u64).to_le_bytes());
        digest.update(text);
    }
    digest.finalize().into()
}

/// A key that is derived from the secret, which may have any length.
#[derive(Clone)]
pub(super) struct SecretKey([u8; DIGEST]);

/// The end of a connection that proves something.
#[derive(Clone, Copy)]
enum End {
    Opening = 1,
    Accepting = 2,
}

impl SecretKey {
    pub(super) fn new(secret: &[u8]) -> Self {
        Self(Sha256::digest(secret).into())
    }

    fn code(&self, end: End, opening: &[u8; HELLO], accepting: &[u8; HELLO]) -> Hmac<Sha256> {
        // A shorter key than a block is the same as one that is filled up with zeros.
        let mut key = [0; 64];
        key[..DIGEST].copy_from_slice(&self.0);
        let mut code = Hmac::<Sha256>::new(&key.into());
        code.update(&[end as u8]);
        code.update(opening);
        code.update(accepting);
        code
    }
}

/// The reason why two processes do not trust each other.
#[derive(Debug)]
pub(super) enum Distrust {
    /// The connection failed, or nothing came in time.
    Broken(io::Error),
    /// The other does not speak like a process of this program.
    Stranger,
    /// The other knows another secret.
    OtherSecret,
}

impl From<io::Error> for Distrust {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

/// The answers to the proof of the opening end.
const WRONG: u8 = 0;
const RIGHT: u8 = 1;

/// Speaks with the process that has accepted this connection. The opening end proves first, so that
/// the accepting end does not help strangers to guess the secret.
pub(super) fn open(
    tcp: &TcpStream,
    key: &SecretKey,
    own: &Hello,
    until: Instant,
) -> Result<Hello, Distrust> {
    let mut tcp = TimedConnection { tcp, until };
    let said = own.encode();
    tcp.write_all(&said)?;
    let heard = tcp.read::<HELLO>()?;
    let other = Hello::decode(&heard).ok_or(Distrust::Stranger)?;
    if other.random == own.random {
        // A connection to itself, as an address of this machine may give.
        return Err(Distrust::Stranger);
    }
    let proof = key.code(End::Opening, &said, &heard).finalize();
    tcp.write_all(&proof.into_bytes())?;
    match tcp.read()? {
        [RIGHT] => {}
        [WRONG] => return Err(Distrust::OtherSecret),
        _ => return Err(Distrust::Stranger),
    }
    let proof = tcp.read::<DIGEST>()?;
    let code = key.code(End::Accepting, &said, &heard);
    let is_right = code.verify(&proof.into()).is_ok();
    is_right.then_some(other).ok_or(Distrust::OtherSecret)
}

/// Speaks with the process that has opened this connection. Strangers get no answer at all.
pub(super) fn accept(
    tcp: &TcpStream,
    key: &SecretKey,
    own: &Hello,
    until: Instant,
) -> Result<Hello, Distrust> {
    let mut tcp = TimedConnection { tcp, until };
    let heard = tcp.read::<HELLO>()?;
    let other = Hello::decode(&heard).ok_or(Distrust::Stranger)?;
    let said = own.encode();
    tcp.write_all(&said)?;
    let proof = tcp.read::<DIGEST>()?;
    let code = key.code(End::Opening, &heard, &said);
    // In constant time.
    if code.verify(&proof.into()).is_err() {
        tcp.write_all(&[WRONG])?;
        return Err(Distrust::OtherSecret);
    }
    let proof = key.code(End::Accepting, &heard, &said).finalize();
    tcp.write_all(&[RIGHT])?;
    tcp.write_all(&proof.into_bytes())?;
    Ok(other)
}

/// A connection on which all messages have to end before a certain time.
pub(super) struct TimedConnection<'t> {
    pub(super) tcp: &'t TcpStream,
    pub(super) until: Instant,
}

impl TimedConnection<'_> {
    fn left(&self) -> io::Result<Duration> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "nothing came"));
        }
        Ok(left)
    }

    /// Reads as many bytes as the result has.
    pub(super) fn read<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        let mut done = 0;
        while done < N {
            self.tcp.set_read_timeout(Some(self.left()?))?;
            match (&mut &*self.tcp).read(&mut bytes[done..]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(length) => done += length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(bytes)
    }

    /// Writes bytes, which must be few enough for the buffer of a connection.
    pub(super) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.tcp.set_write_timeout(Some(self.left()?))?;
        (&mut &*self.tcp).write_all(bytes)
    }
}
