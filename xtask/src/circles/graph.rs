//! The graph of a crate's parts, its knots and its circles.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::source::Crate;

/// The parts of a crate among which circles are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GraphScope {
    /// Every file is a part.
    Files,
    /// A module below the crate's root is a part, with all its files. The root itself is one, too.
    TopModules,
}

/// An edge of the graph: the first place that needs it.
#[derive(Debug)]
struct Edge {
    file: String,
    line: usize,
    path: String,
}

/// Parts of a crate, by name, with the parts that each uses.
#[derive(Debug, Default)]
pub(super) struct Graph {
    edges: BTreeMap<String, BTreeMap<String, Edge>>,
}

impl Graph {
    pub(super) fn of(read: &Crate, parts: GraphScope) -> Self {
        let mut graph = Self::default();
        let part = |module: &[String], file: &str| match parts {
            GraphScope::Files => file.to_owned(),
            GraphScope::TopModules => module.first().map_or("the root", String::as_str).to_owned(),
        };
        for (path, module) in &read.modules {
            let from = part(path, &module.file);
            for mention in &module.mentions {
                let Some(definer) = read.definer(path, &mention.path) else { continue };
                let to = part(&definer, &read.modules[&definer].file);
                if to == from {
                    continue;
                }
                let edge = Edge { file: module.file.clone(), line: mention.line, path: mention.path.join("::") };
                graph.edges.entry(from.clone()).or_default().entry(to).or_insert(edge);
            }
        }
        graph
    }

    pub(super) fn has_edges(&self) -> bool {
        !self.edges.is_empty()
    }

    fn used_by(&self, part: &str) -> impl Iterator<Item = &str> {
        self.edges.get(part).into_iter().flat_map(BTreeMap::keys).map(String::as_str)
    }

    /// The parts that `start` uses directly or indirectly, each with the part before it on a shortest way.
    fn reach<'a>(&'a self, start: &'a str) -> BTreeMap<&'a str, &'a str> {
        let mut before = BTreeMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(part) = queue.pop_front() {
            for next in self.used_by(part) {
                before.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    part
                });
            }
        }
        before
    }

    /// The edges of the shortest circle, each as a sentence.
    pub(super) fn shortest_circle(&self) -> Vec<String> {
        let circles = self.edges.keys().filter_map(|start| {
            let before = self.reach(start);
            let mut way = vec![*before.get(start.as_str())?, start];
            while way[0] != start {
                way.insert(0, before[way[0]]);
            }
            Some(way)
        });
        let Some(way) = circles.min_by_key(Vec::len) else { return Vec::new() };
        way.windows(2).map(|pair| self.describe(pair[0], pair[1])).collect()
    }

    fn describe(&self, from: &str, to: &str) -> String {
        let Edge { file, line, path } = &self.edges[from][to];
        format!("{file}:{line}: {from} uses {to} by `{path}`")
    }

    /// The sets of two and more parts that reach each other, the largest first.
    pub(super) fn knots(&self) -> Vec<Vec<String>> {
        let reach: BTreeMap<&str, _> = self.edges.keys().map(|part| (part.as_str(), self.reach(part))).collect();
        let mut seen = BTreeSet::new();
        let mut knots = Vec::new();
        for (part, reached) in &reach {
            if !reached.contains_key(part) || !seen.insert(*part) {
                continue;
            }
            let back = |other: &&str| reach.get(other).is_some_and(|others| others.contains_key(part));
            let knot: Vec<_> = reached.keys().copied().filter(back).collect();
            seen.extend(&knot);
            knots.push(knot.into_iter().map(str::to_owned).collect::<Vec<_>>());
        }
        knots.sort_by_key(|knot| std::cmp::Reverse(knot.len()));
        knots
    }
}

#[cfg(test)]
mod tests;
