//! A level that was given up, the merging of runs, and the example of the README.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::external::memory::Shares;
use crate::outcome::StopReason;
use crate::stubborn::Sampling;
use machine::packing::Packing;

/// A search that begins with the state 0, of which no more than four states stay in memory.
fn begun(folder: Folder, layout: &RecordLayout) -> Disk {
    Disk::begin(
        folder,
        (layout, 0),
        &Identity::default(),
        None,
        Some(&0_u64),
    )
    .unwrap()
}

#[test]
fn a_level_that_was_given_up_does_not_count() {
    let path = std::env::temp_dir().join(format!("cspsym-{}-given-up", std::process::id()));
    let folder = Folder::new(&path, &[]).unwrap();
    let layout = RecordLayout::new(&Packing::new(&[1 << 30]));
    let mut disk = begun(folder, &layout);
    disk.sync_always(false);
    // So many states that the token is asked twice: while they are written to the level, and while
    // they are merged.
    let states: Vec<u64> = (1..300_000).collect();
    let found = Collected {
        lists: vec![List::of_states(&layout, &states)],
        followed: FollowedSteps {
            transitions: 7,
            sampling: Sampling::SOME,
        },
    };
    let shares = Shares::of(1 << 20, 1);
    // The token ends the work when it is asked once more than `patience` says.
    let mut add = |patience: usize| {
        let (token, asked) = (Cancellation::new(), AtomicUsize::new(0));
        let ended = token.clone();
        let token = token.heard_at_each_step(move |_| {
            if asked.fetch_add(1, Ordering::Relaxed) == patience {
                ended.cancel();
            }
        });
        let mut workspace = Workspace::new(&shares, &layout);
        let mut merging = Merging {
            threads: &Threads::one(),
            workspaces: vec![&mut workspace],
            token: &token,
        };
        let added = disk
            .find_new::<u64>(&found, u64::MAX, &mut merging)
            .and_then(|_| disk.add_level::<u64>(&mut merging));
        let is_stopped = match added {
            Ok(()) => false,
            Err(Halt::Stopped(reason)) => reason == StopReason::Cancelled,
            Err(other) => panic!("{other:?}"),
        };
        (is_stopped, disk.ends.clone(), disk.followed)
    };
    for patience in [0, 1] {
        assert_eq!(add(patience), (true, vec![1], FollowedSteps::default()));
    }
    assert_eq!(add(2), (false, vec![1, 300_000], found.followed));
    let digest = disk.digest;
    let (folder, journal) = (disk.folder.clone(), disk.folder.open(JOURNAL).unwrap());
    drop(disk);
    let (journal, _) = Journal::open(journal.unwrap()).unwrap();
    let (disk, _) = Disk::resume(folder, (&layout, 0), journal).unwrap();
    assert_eq!(
        (disk.ends, disk.digest.value(), disk.followed),
        (vec![1, 300_000], digest.value(), found.followed)
    );
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn states_are_inserted_where_they_belong() {
    let mut sorted = vec![1, 5, 3, 0, 3, 9];
    insert(2, &mut sorted, &[0, 7, 3, 4, 8, 8]);
    assert_eq!(sorted, [0, 7, 1, 5, 3, 0, 3, 4, 3, 9, 8, 8]);
    insert(2, &mut sorted, &[]);
    assert_eq!(sorted.len(), 12);
    let mut none = Vec::new();
    insert(1, &mut none, &[2, 4]);
    assert_eq!(none, [2, 4]);
}

/// Checks the example of the README, number by number.
#[test]
fn the_example_of_the_readme() {
    let path = std::env::temp_dir().join(format!("cspsym-{}-example", std::process::id()));
    let folder = Folder::new(&path, &[]).unwrap();
    let layout = RecordLayout::new(&Packing::new(&[1 << 30]));
    // No states stay in memory, so that each level becomes a run.
    let mut disk = begun(folder, &layout);
    disk.most_young = 0;
    let shares = Shares::of(1 << 20, 1);
    let mut add = |lists: [&[u64]; 2]| {
        let mut workspace = Workspace::new(&shares, &layout);
        let mut merging = Merging {
            threads: &Threads::one(),
            workspaces: vec![&mut workspace],
            token: Cancellation::never(),
        };
        let lists = lists.map(|states| List::of_states(&layout, states));
        let found = Collected {
            lists: lists.into(),
            followed: FollowedSteps::default(),
        };
        disk.find_new::<u64>(&found, u64::MAX, &mut merging)
            .unwrap();
        disk.add_level::<u64>(&mut merging).unwrap();
        let mut block = Block::default();
        disk.read(&mut block, disk.level()).unwrap();
        let runs = disk.runs.iter().map(|run| run.entry.states);
        (block.states, runs.collect::<Vec<u64>>())
    };
    assert_eq!(add([&[1, 2], &[2, 5]]), (vec![1, 2, 5], vec![4]));
    assert_eq!(add([&[0, 2, 3], &[5, 7]]), (vec![3, 7], vec![4, 2]));
    assert_eq!(add([&[1, 4], &[4, 8]]), (vec![4, 8], vec![8]));
    assert_eq!(add([&[0, 8], &[1]]), (vec![], vec![8]));
    std::fs::remove_dir_all(path).unwrap();
}
