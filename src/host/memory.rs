//! The memory that the program may take: bounded by `--memory-limit`, by the memory of its machine
//! or container, and by the system's limits.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use memory_stats::memory_stats;

use base::cancel::MemoryBounds;
use base::number::bytes;
use report::assertion::MemoryLimitReport;

/// All bounds on the memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    ceilings: Vec<Ceiling>,
}

/// One bound, by one measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ceiling {
    bound: Bound,
    measure: Measure,
    /// The bytes beyond which the work is ended from outside.
    far: u64,
}

/// A bound on the memory, in bytes, and its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    pub(crate) source: BoundSource,
    pub(crate) bytes: u64,
}

/// The source of a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BoundSource {
    /// `--memory-limit`
    Option,
    /// The share of one of several processes that each check a script, by `--jobs`.
    Job,
    /// The memory of the machine.
    Machine,
    /// The limit of the container.
    Container,
    /// `ulimit -v`
    AddressSpace,
    /// `ulimit -d`
    Data,
    /// The system gave no more, although no known bound was reached.
    System,
}

/// The memory that a bound counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Measure {
    /// Resident memory.
    Resident,
    /// Addresses in use.
    Virtual,
    /// Private addresses that can be written.
    Data,
}

/// The time between two looks at addresses that may be taken for a moment alone, and the number of
/// such looks. A thread that is about to give addresses back may have to wait for a processor.
const SETTLING: (Duration, u32) = (Duration::from_millis(2), 25);

/// The number of fifths of the memory of a machine or container that the program may take. Other
/// programs need some of the rest, and so does the system for this program.
const FIFTHS: u64 = 4;

/// The part of the addresses that is left: one in this number, because memory is taken in large
/// pieces.
const LEFT: u64 = 8;

/// The excess over a bound on resident memory at which the work is ended from outside: one part in
/// the first number, and as many bytes as the second.
const BEYOND: (u64, u64) = (20, 4 << 20);

impl Memory {
    /// The bounds of this program, which may take at most `wanted` bytes if that is given.
    pub fn of_program(wanted: Option<u64>) -> Self {
        let physical = wanted.map(|bytes| Bound {
            source: BoundSource::Option,
            bytes,
        });
        Self::bounded_by(physical.or_else(|| default_bound(&Kernel::read())))
    }

    /// This bound on resident memory, and those of the system.
    fn bounded_by(physical: Option<Bound>) -> Self {
        let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
        let ceilings = physical.map(of_resident);
        Self {
            ceilings: ceilings.into_iter().chain(of_limits(&limits)).collect(),
        }
    }

    /// The bounds of a process that checks one script of several, and may take so many bytes.
    pub fn of_job(share: Option<u64>) -> Self {
        let physical = share.map(|bytes| Bound {
            source: BoundSource::Job,
            bytes,
        });
        Self::bounded_by(physical)
    }

    /// The bytes that each of so many processes may take of the resident memory.
    pub fn share(&self, processes: usize) -> Option<u64> {
        let ceilings = self.ceilings.iter();
        let resident = ceilings.filter(|ceiling| ceiling.measure == Measure::Resident);
        let least = resident.map(|ceiling| ceiling.bound.bytes).min();
        least.map(|bytes| bytes / processes.max(1) as u64)
    }

    /// One bound on resident memory.
    #[cfg(test)]
    pub(crate) fn of(wanted: u64) -> Self {
        Self {
            ceilings: vec![of_resident(Bound {
                source: BoundSource::Option,
                bytes: wanted,
            })],
        }
    }

    /// The bound at index `number`. If there is none, the system gives no more.
    pub fn bound(&self, number: usize) -> Bound {
        let bound = self.ceilings.get(number).map(|ceiling| ceiling.bound);
        bound.unwrap_or(EXHAUSTED)
    }

    /// True if memory is so far beyond a bound that the work cannot be waited for.
    pub(super) fn is_far_beyond(&self) -> bool {
        let mut ceilings = self.ceilings.iter();
        ceilings.any(|ceiling| ceiling.measure.taken().is_some_and(|now| now > ceiling.far))
    }

    /// The least bound, for reports.
    pub(super) fn report(&self) -> Option<MemoryLimitReport> {
        let bounds = self.ceilings.iter().map(|ceiling| ceiling.bound);
        let least = bounds.min_by_key(|bound| bound.bytes)?;
        Some(MemoryLimitReport {
            bytes: least.bytes,
            from: least.source.name().into(),
        })
    }

    /// The size of the stack of a thread: at most `wanted` bytes, and less where addresses are few.
    pub fn stack_bytes(&self, wanted: usize) -> usize {
        let of_addresses = |ceiling: &&Ceiling| ceiling.measure != Measure::Resident;
        let bounds = self.ceilings.iter().filter(of_addresses);
        let shares = bounds.map(|ceiling| ceiling.bound.bytes / SHARE_OF_STACK);
        let least = shares.min().and_then(|bytes| usize::try_from(bytes).ok());
        least.map_or(wanted, |bytes| bytes.clamp(LEAST_STACK.min(wanted), wanted))
    }
}

impl Ceiling {
    /// True if the memory in use, and `more` bytes, are more than the bound.
    fn is_exceeded_with(self, more: u64) -> bool {
        let taken = self.measure.taken();
        taken.is_some_and(|now| now.saturating_add(more) > self.bound.bytes)
    }
}

impl MemoryBounds for Memory {
    fn exceeded_with(&self, more: u64) -> Option<usize> {
        let mut ceilings = self.ceilings.iter();
        ceilings.position(|ceiling| {
            if !ceiling.is_exceeded_with(more) {
                return false;
            }
            // For the memory of a new thread the allocator takes twice the addresses that it needs,
            // and then gives half of them back.
            let (pause, looks) = SETTLING;
            let stays_exceeded = |_| {
                thread::sleep(pause);
                ceiling.is_exceeded_with(more)
            };
            ceiling.measure != Measure::Virtual || (0..looks).all(stays_exceeded)
        })
    }

    fn tightest(&self) -> Option<(u64, u64)> {
        let all = self.ceilings.iter().filter_map(|ceiling| {
            let now = ceiling.measure.taken()?;
            Some((ceiling.bound.bytes, now))
        });
        all.min_by_key(|(most, now)| most.saturating_sub(*now))
    }

    fn is_wanted(&self) -> bool {
        let mut ceilings = self.ceilings.iter();
        ceilings.any(|ceiling| ceiling.bound.source == BoundSource::Option)
    }
}

/// The bound that is reached where the system gives no memory.
pub(super) const EXHAUSTED: Bound = Bound {
    source: BoundSource::System,
    bytes: 0,
};

/// The part of the addresses that the stack of a thread may take where they are few: one in this
/// number.
const SHARE_OF_STACK: u64 = 16;

/// The least size of a stack, in bytes. A smaller one is of no use.
const LEAST_STACK: usize = 4 << 20;

impl Bound {
    /// The name of the bound, which ends the message `more memory is needed than ...`.
    pub fn words(self) -> String {
        let size = bytes(self.bytes);
        match self.source {
            BoundSource::Option => "--memory-limit allows".to_string(),
            BoundSource::Job => format!("the {size} that each of several scripts has by --jobs"),
            BoundSource::Machine => format!(
                "the {size} that are taken of this machine, unless --memory-limit says otherwise"
            ),
            BoundSource::Container => format!(
                "the {size} that are taken of this container, unless --memory-limit says otherwise"
            ),
            BoundSource::AddressSpace => format!("`ulimit -v` leaves room for: {size}"),
            BoundSource::Data => format!("`ulimit -d` leaves room for: {size}"),
            BoundSource::System => "the operating system gives".to_string(),
        }
    }

    /// The hint of the message that the bound was reached.
    pub(crate) fn hint(self) -> &'static str {
        match self.source {
            BoundSource::Option => "allow more memory, or check a smaller instance with -D",
            BoundSource::Job => {
                "check fewer scripts at a time with --jobs, or allow more with --memory-limit"
            }
            BoundSource::Machine | BoundSource::Container => {
                "allow more with --memory-limit, keep the states on disk with --spill, or check a smaller instance with -D"
            }
            BoundSource::AddressSpace | BoundSource::Data => {
                "raise that limit, keep the states on disk with --spill, or check a smaller instance with -D"
            }
            BoundSource::System => {
                "say with --memory-limit how much there is, keep the states on disk with --spill, or check a smaller instance with -D"
            }
        }
    }
}

impl BoundSource {
    /// The name in JSON.
    fn name(self) -> &'static str {
        match self {
            BoundSource::Option => "--memory-limit",
            BoundSource::Job => "--jobs",
            BoundSource::Machine => "machine",
            BoundSource::Container => "container",
            BoundSource::AddressSpace => "ulimit -v",
            BoundSource::Data => "ulimit -d",
            BoundSource::System => "system",
        }
    }
}

impl Measure {
    /// The number of bytes in use, or `None` if it cannot be found out.
    fn taken(self) -> Option<u64> {
        match self {
            Measure::Resident => resident(),
            Measure::Virtual => memory_stats().map(|now| now.virtual_mem as u64),
            Measure::Data => {
                let status = fs::read_to_string("/proc/self/status").ok()?;
                kilobytes(&status, "VmData:")
            }
        }
    }
}

/// The number of bytes of memory that the program takes, or `None` if it cannot be found out.
pub fn resident() -> Option<u64> {
    #[cfg(target_family = "wasm")]
    return Some(core::arch::wasm32::memory_size::<0>() as u64 * WASM_PAGE);
    #[cfg(not(target_family = "wasm"))]
    memory_stats().map(|now| now.physical_mem as u64)
}

/// The bytes of a page of memory in WebAssembly.
#[cfg(target_family = "wasm")]
const WASM_PAGE: u64 = 1 << 16;

/// The bytes in the line of `text` that begins with `name`, where they stand in kilobytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let row = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = row.trim().trim_end_matches(" kB").parse().ok()?;
    Some(number << 10)
}

fn of_resident(bound: Bound) -> Ceiling {
    let (part, more) = BEYOND;
    let far = bound.bytes.saturating_add(bound.bytes / part);
    Ceiling {
        bound,
        measure: Measure::Resident,
        far: far.saturating_add(more),
    }
}

/// The files in which the kernel tells of memory. A text is empty where there is no such file.
#[derive(Default)]
struct Kernel {
    /// `/proc/meminfo`
    machine: String,
    /// `/proc/self/cgroup`
    groups: String,
    /// The folder with the files of control groups.
    folder: PathBuf,
}

impl Kernel {
    fn read() -> Self {
        let text = |path| fs::read_to_string(path).unwrap_or_default();
        Self {
            machine: text("/proc/meminfo"),
            groups: text("/proc/self/cgroup"),
            folder: PathBuf::from("/sys/fs/cgroup"),
        }
    }
}

/// The bound where the call gives none.
fn default_bound(kernel: &Kernel) -> Option<Bound> {
    let machine = kilobytes(&kernel.machine, "MemTotal:")?;
    // A group of version 1 without a limit has a number beyond all memory in place of `max`.
    let container = container(kernel).filter(|&bytes| bytes < machine);
    let (source, all) = match container {
        Some(bytes) => (BoundSource::Container, bytes),
        None => (BoundSource::Machine, machine),
    };
    Some(Bound {
        source,
        bytes: all / 5 * FIFTHS,
    })
}

/// The least limit of any control group around the program, in bytes. Groups of both versions
/// count: a line `0::/path` names one of version 2, and one such as `9:memory:/path` one of the
/// first version. In a container the path is often that outside, and its own group is the outermost
/// there is.
fn container(kernel: &Kernel) -> Option<u64> {
    let limits = kernel.groups.lines().flat_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?);
        let (folder, file) = match controllers {
            "" => (kernel.folder.clone(), "memory.max"),
            all if all.split(',').any(|one| one == "memory") => {
                (kernel.folder.join("memory"), "memory.limit_in_bytes")
            }
            _ => return None,
        };
        let groups = Path::new(path.trim_start_matches('/')).ancestors();
        let limits = groups.filter_map(|group| {
            let text = fs::read_to_string(folder.join(group).join(file)).ok()?;
            // The text may also be `max`.
            text.trim().parse::<u64>().ok()
        });
        limits.min()
    });
    limits.min()
}

/// The bounds on addresses that `/proc/self/limits` gives.
fn of_limits(limits: &str) -> impl Iterator<Item = Ceiling> {
    let rows = [
        (
            "Max address space",
            BoundSource::AddressSpace,
            Measure::Virtual,
        ),
        ("Max data size", BoundSource::Data, Measure::Data),
    ];
    rows.into_iter().filter_map(|(name, source, measure)| {
        let row = limits.lines().find_map(|line| line.strip_prefix(name))?;
        // The field may also be `unlimited`.
        let all: u64 = row.split_whitespace().next()?.parse().ok()?;
        let left = all / LEFT;
        Some(Ceiling {
            bound: Bound {
                source,
                bytes: all - left,
            },
            measure,
            far: all - left / 2,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: &str = "\
Limit                     Soft Limit           Hard Limit           Units     
Max cpu time              unlimited            unlimited            seconds   
Max data size             unlimited            unlimited            bytes     
Max address space         800000000            unlimited            bytes     
";

    #[test]
    fn addresses_are_bounded_by_what_the_system_allows() {
        let found: Vec<Ceiling> = of_limits(LIMITS).collect();
        let expected = Ceiling {
            bound: Bound {
                source: BoundSource::AddressSpace,
                bytes: 700_000_000,
            },
            measure: Measure::Virtual,
            far: 750_000_000,
        };
        assert_eq!(found, [expected]);
        let memory = Memory { ceilings: found };
        assert_eq!(memory.stack_bytes(256 << 20), 43_750_000);
        assert_eq!(memory.stack_bytes(1 << 20), 1 << 20);
        assert_eq!(Memory::default().stack_bytes(256 << 20), 256 << 20);
        assert!(!memory.is_wanted() && Memory::of(1).is_wanted());
        assert_eq!(
            memory.report().map(|report| report.from),
            Some("ulimit -v".into())
        );
    }

    /// A folder of control groups with these files.
    fn groups(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("cspsym-{name}-{}", std::process::id()));
        for (file, text) in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        }
        folder
    }

    fn bound(groups: &str, folder: &Path) -> Option<Bound> {
        default_bound(&Kernel {
            machine: "MemFree: 7 kB\nMemTotal:       1000 kB\n".to_string(),
            groups: groups.to_string(),
            folder: folder.to_path_buf(),
        })
    }

    #[test]
    fn a_container_bounds_memory_more_than_its_machine() {
        let folder = groups(
            "groups",
            &[
                ("memory.max", "max\n"),
                ("a/memory.max", "512000\n"),
                ("a/b/memory.max", "768000\n"),
                ("huge/memory.max", "9223372036854771712\n"),
                ("memory/memory.limit_in_bytes", "256000\n"),
            ],
        );
        let of = |source, all: u64| {
            Some(Bound {
                source,
                bytes: all / 5 * 4,
            })
        };
        let machine = of(BoundSource::Machine, 1_024_000);
        assert_eq!(bound("0::/\n", &folder), machine);
        assert_eq!(bound("0::/huge\n", &folder), machine);
        assert_eq!(bound("", &folder), machine);
        assert_eq!(
            bound("0::/a/b\n", &folder),
            of(BoundSource::Container, 512_000)
        );
        // The path is the one outside of the container.
        let outside = "5:cpu,cpuacct:/\n4:memory:/docker/1234\n0::/\n";
        assert_eq!(bound(outside, &folder), of(BoundSource::Container, 256_000));
        fs::remove_dir_all(folder).expect("it can be removed");
        assert_eq!(default_bound(&Kernel::default()), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_taken_can_be_told() {
        let taken = |measure: Measure| measure.taken().expect("it can be told");
        assert!(taken(Measure::Resident) > 1 << 20);
        assert!(taken(Measure::Virtual) >= taken(Measure::Resident));
        assert!((1 << 16..=taken(Measure::Virtual)).contains(&taken(Measure::Data)));
        let memory = Memory::of_program(None);
        assert_eq!(memory.exceeded_with(0), None);
        assert_eq!(memory.exceeded_with(u64::MAX), Some(0));
    }
}
