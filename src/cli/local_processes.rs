//! The processes of `--processes N`: copies of this program on the same machine.
//!
//! A copy is started with the arguments of this call. It writes to its standard output the port at
//! which it listens. From its standard input, which nobody else sees, it reads the secret and all
//! addresses. The input stays open: when it ends, so does the copy, even if the call that started
//! it was killed.

use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use cluster::ClusterPlace;

use super::copies::copy_of_this_call;
use host::status::Status;

/// Copies of this program that run.
pub(super) struct LocalProcesses {
    copies: Vec<Child>,
}

/// The time that a copy may take to end when its work is done.
const FAREWELL: Duration = Duration::from_secs(5);

/// Bytes of the secret, which is random.
const SECRET_BYTES: usize = 32;

impl LocalProcesses {
    /// The place of this call among `processes` processes: it is copy number `member`, or starts
    /// the copies. It waits for the others, and is patient with them, for the two times given.
    pub(super) fn place(
        processes: usize,
        member: Option<usize>,
        (wait, patience): (Duration, Duration),
    ) -> io::Result<(ClusterPlace, Option<Self>)> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = format!("127.0.0.1:{}", listener.local_addr()?.port());
        let (secret, addresses, others) = match member {
            Some(_) => {
                let (secret, addresses) = introduce(&address, processes)?;
                (secret, addresses, None)
            }
            None => {
                let mut secret = [0; SECRET_BYTES];
                getrandom::fill(&mut secret).map_err(io::Error::other)?;
                let secret: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
                let mut others = Self { copies: Vec::new() };
                let addresses = others.start(processes, address, &secret)?;
                (secret, addresses, Some(others))
            }
        };
        let place = ClusterPlace {
            addresses,
            process: member.unwrap_or_default(),
            listener: Some(listener),
            secret: secret.into_bytes(),
            wait,
            patience,
        };
        Ok((place, others))
    }

    /// Starts the copies, and tells each of them the secret and all addresses, of which the first
    /// is that of this call.
    fn start(&mut self, processes: usize, first: String, secret: &str) -> io::Result<Vec<String>> {
        for number in 1..processes {
            let mut copy = copy_of_this_call(&["--member", &number.to_string()])?;
            self.copies.push(copy.spawn()?);
        }
        let mut addresses = vec![first];
        for copy in &mut self.copies {
            let output = copy.stdout.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
            addresses.push(line(&mut BufReader::new(output))?);
        }
        for copy in &mut self.copies {
            let input = copy.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
            writeln!(input, "{secret}\n{}", addresses.join("\n"))?;
            input.flush()?;
        }
        Ok(addresses)
    }

    /// The number of a copy that has ended, if one has.
    pub(super) fn ended(&mut self) -> Option<usize> {
        let copies = self.copies.iter_mut();
        let ended = |copy: &mut Child| !matches!(copy.try_wait(), Ok(None));
        // This call is process 0.
        copies.map(ended).position(|ended| ended).map(|at| at + 1)
    }

    /// Waits until all copies have ended. They have nothing left to do.
    pub(super) fn wait(mut self) {
        let until = Instant::now() + FAREWELL;
        for copy in &mut self.copies {
            while let Ok(None) = copy.try_wait()
                && Instant::now() < until
            {
                thread::sleep(Duration::from_millis(5));
            }
        }
    }
}

impl Drop for LocalProcesses {
    /// Kills the copies, so that none is left behind.
    fn drop(&mut self) {
        for copy in &mut self.copies {
            // Fails where the copy has ended.
            let _ = copy.kill();
            let _ = copy.wait();
        }
    }
}

/// Writes the address of this copy for the call that started it, and reads the secret and the
/// addresses of all processes. From then on the end of the input ends the program.
fn introduce(address: &str, processes: usize) -> io::Result<(String, Vec<String>)> {
    writeln!(io::stdout(), "{address}")?;
    io::stdout().flush()?;
    let mut input = BufReader::new(io::stdin());
    let secret = line(&mut input)?;
    let addresses = (0..processes).map(|_| line(&mut input));
    let addresses = addresses.collect::<io::Result<Vec<String>>>()?;
    thread::Builder::new().spawn(move || {
        let mut rest = String::new();
        let _ = input.read_line(&mut rest);
        std::process::exit(Status::Undecided.code().into());
    })?;
    Ok((secret, addresses))
}

/// A line without its end.
fn line(input: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    match input.read_line(&mut line)? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(line.trim_end().to_string()),
    }
}
