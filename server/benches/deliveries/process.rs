//! The system's figures about a process.

use std::fs;

const TICKS_PER_SECOND: f64 = 100.0;

/// Processor seconds that a process has used.
pub(crate) fn processor(id: u32) -> f64 {
    ticks(id, 2) / TICKS_PER_SECOND
}

/// Processor seconds that a process, its children, and those of them that have ended, have used.
pub(crate) fn processor_of_family(id: u32) -> f64 {
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    let children = children.split_whitespace().filter_map(|child| child.parse().ok());
    (ticks(id, 4) + children.map(|child| ticks(child, 2)).sum::<f64>()) / TICKS_PER_SECOND
}

/// The first so many of: user, system, user of ended children, system of ended children.
fn ticks(id: u32, count: usize) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    after_name.split_whitespace().skip(11).take(count).filter_map(|n| n.parse::<f64>().ok()).sum()
}

/// The most memory that a process has held, in MB (a million bytes); not a number where the system does not say.
pub(crate) fn peak(id: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or(f64::NAN) * 1024.0 / 1e6
}
