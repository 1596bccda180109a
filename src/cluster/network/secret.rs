//! How two processes show each other that they know the same secret, without saying it.
//!
//! Each says who it is, with a random number; then each proves that it knows the secret by a digest
//! of what both have said, and of which of the two it is. So nothing that was heard once can be
//! said again later, or back to who said it.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ConnectionKind {
    /// Timely sends parcels.
    Data,
    /// The processes watch each other, and end the work.
    Control,
}

/// What every process says first.
const MAGIC: &[u8; 8] = b"cspsymcl";

/// Another protocol may have another dataflow; the hellos and proofs stay as they are.
const PROTOCOL: u16 = 1;

const RANDOM: usize = 32;
const DIGEST: usize = 32;
const HELLO: usize = MAGIC.len() + 2 + RANDOM + 4 + 1 + 4 + 2 * DIGEST;

/// What a process says of itself to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Hello {
    /// A random number.
    random: [u8; RANDOM],
    /// The number of the process.
    pub(super) process: u32,
    /// What the connection is for.
    pub(super) kind: ConnectionKind,
    /// How many processes it knows.
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

    /// Whether the other is a process of the same version.
    pub(super) fn is_same_version(&self, other: &Self) -> bool {
        self.protocol == other.protocol && self.version == other.version
    }

    fn encode(&self) -> [u8; HELLO] {
        let parts: [&[u8]; 8] = [
            MAGIC,
            &self.protocol.to_le_bytes(),
            &self.random,
            &self.process.to_le_bytes(),
            &[self.kind as u8],
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

    /// `None` if a stranger says it.
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

/// The first bytes of `rest`, which are removed from it.
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

/// A key that is made of the secret, which may have any length.
#[derive(Clone)]
pub(super) struct SecretKey([u8; DIGEST]);

/// Which end of a connection proves something.
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

/// Why two processes do not trust each other.
#[derive(Debug)]
pub(super) enum Distrust {
    /// The connection failed, or nothing came in time.
    Broken(io::Error),
    /// The other does not speak as a process of this program does.
    Stranger,
    /// The other knows another secret.
    OtherSecret,
}

impl From<io::Error> for Distrust {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

/// What follows on whether the proof of the opening end is good.
const WRONG: u8 = 0;
const RIGHT: u8 = 1;

/// Speaks with who has accepted this connection. The opening end proves first, so that the other
/// does not help strangers to guess the secret.
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

/// Speaks with who has opened this connection. Strangers hear nothing at all.
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

/// A connection on which all is said before a certain time, however slowly bytes come.
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

    /// Writes bytes, which are few enough for what a connection holds.
    pub(super) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.tcp.set_write_timeout(Some(self.left()?))?;
        (&mut &*self.tcp).write_all(bytes)
    }
}
