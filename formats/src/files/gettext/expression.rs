//! The expression of `Plural-Forms`, in the syntax of C: it gives the number of a `msgstr` for an amount.

/// Bytes of an expression. That of Arabic has 103, the longest that is known 258.
const LONGEST: usize = 1_000;

/// Parentheses and choices inside each other.
const DEEPEST: usize = 64;

/// An expression. Every node comes after those that it is made of, so that it is evaluated in one pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expression(Vec<ExpressionNode>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExpressionNode {
    Amount,
    Number(u64),
    Not(usize),
    Two(Operator, usize, usize),
    Choice(usize, usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    LessOrEqual,
    MoreOrEqual,
    Less,
    More,
    Plus,
    Minus,
    Times,
    Divide,
    Rest,
}

/// Operators with their strength; of two that begin alike the longer one comes first.
const OPERATORS: [(&str, Operator, u8); 13] = [
    ("||", Operator::Or, 1),
    ("&&", Operator::And, 2),
    ("==", Operator::Equal, 3),
    ("!=", Operator::Unequal, 3),
    ("<=", Operator::LessOrEqual, 4),
    (">=", Operator::MoreOrEqual, 4),
    ("<", Operator::Less, 4),
    (">", Operator::More, 4),
    ("+", Operator::Plus, 5),
    ("-", Operator::Minus, 5),
    ("*", Operator::Times, 6),
    ("/", Operator::Divide, 6),
    ("%", Operator::Rest, 6),
];

impl Expression {
    /// Reads an expression. `None` where it is none, or one that no file needs.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let mut reader = Reader { rest: text, nodes: Vec::new() };
        reader.choice(0)?;
        reader.skip();
        reader.rest.is_empty().then_some(Self(reader.nodes))
    }

    /// Its value for an amount. `None` where it divides by zero.
    pub(super) fn value(&self, amount: u64) -> Option<u64> {
        let mut values: Vec<Option<u64>> = Vec::with_capacity(self.0.len());
        for node in &self.0 {
            let of = |at: usize| values.get(at).copied().flatten();
            let value = match *node {
                ExpressionNode::Amount => Some(amount),
                ExpressionNode::Number(number) => Some(number),
                ExpressionNode::Not(at) => of(at).map(|value| u64::from(value == 0)),
                ExpressionNode::Two(operator, one, other) => operator.apply(of(one), of(other)),
                ExpressionNode::Choice(condition, one, other) => match of(condition) {
                    None => None,
                    Some(0) => of(other),
                    Some(_) => of(one),
                },
            };
            values.push(value);
        }
        values.pop().flatten()
    }
}

impl Operator {
    fn apply(self, one: Option<u64>, other: Option<u64>) -> Option<u64> {
        // The second side of these does not count where the first one decides.
        match (self, one) {
            (Self::Or, Some(1..)) => return Some(1),
            (Self::And, Some(0)) => return Some(0),
            _ => {}
        }
        let (one, other) = (one?, other?);
        Some(match self {
            Self::Or | Self::And => u64::from(other != 0),
            Self::Equal => u64::from(one == other),
            Self::Unequal => u64::from(one != other),
            Self::LessOrEqual => u64::from(one <= other),
            Self::MoreOrEqual => u64::from(one >= other),
            Self::Less => u64::from(one < other),
            Self::More => u64::from(one > other),
            Self::Plus => one.wrapping_add(other),
            Self::Minus => one.wrapping_sub(other),
            Self::Times => one.wrapping_mul(other),
            Self::Divide => one.checked_div(other)?,
            Self::Rest => one.checked_rem(other)?,
        })
    }
}

struct Reader<'t> {
    rest: &'t str,
    nodes: Vec<ExpressionNode>,
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn takes(&mut self, sign: &str) -> bool {
        self.skip();
        let after = self.rest.strip_prefix(sign);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn push(&mut self, node: ExpressionNode) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn choice(&mut self, depth: usize) -> Option<usize> {
        if depth > DEEPEST {
            return None;
        }
        let condition = self.sides(1, depth)?;
        if !self.takes("?") {
            return Some(condition);
        }
        let one = self.choice(depth + 1)?;
        let other = if self.takes(":") { self.choice(depth + 1)? } else { return None };
        Some(self.push(ExpressionNode::Choice(condition, one, other)))
    }

    /// Reads operators of at least this strength.
    fn sides(&mut self, least: u8, depth: usize) -> Option<usize> {
        let mut one = self.single(depth)?;
        loop {
            self.skip();
            let found = OPERATORS.iter().find(|(sign, ..)| self.rest.starts_with(sign));
            let Some((sign, operator, strength)) = found.filter(|(.., strength)| *strength >= least) else {
                return Some(one);
            };
            self.rest = self.rest.get(sign.len()..)?;
            let other = self.sides(strength + 1, depth)?;
            one = self.push(ExpressionNode::Two(*operator, one, other));
        }
    }

    fn single(&mut self, depth: usize) -> Option<usize> {
        let mut signs = 0_usize;
        while self.takes("!") {
            signs += 1;
        }
        let mut inner = if self.takes("(") {
            let inner = self.choice(depth + 1)?;
            if !self.takes(")") {
                return None;
            }
            inner
        } else if self.takes("n") {
            self.push(ExpressionNode::Amount)
        } else {
            let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
            let number = self.rest.get(..digits)?.parse().ok()?;
            self.rest = self.rest.get(digits..)?;
            self.push(ExpressionNode::Number(number))
        };
        for _ in 0..signs {
            inner = self.push(ExpressionNode::Not(inner));
        }
        Some(inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str, amounts: &[u64]) -> Vec<Option<u64>> {
        let expression = Expression::parse(text).unwrap_or_else(|| panic!("{text}"));
        amounts.iter().map(|amount| expression.value(*amount)).collect()
    }

    #[test]
    fn operators_bind_as_in_c() {
        assert_eq!(values("n != 1", &[0, 1, 2]), [Some(1), Some(0), Some(1)]);
        assert_eq!(values("1+2*3-4/2%3==5&&!0||0", &[0]), [Some(1)]);
        assert_eq!(values("!n?7:n>1 ? n <= 3 ? 8 : 9 : (6)", &[0, 1, 2, 4]), [Some(7), Some(6), Some(8), Some(9)]);
        assert_eq!(values("n-1", &[0]), [Some(u64::MAX)]);
        assert_eq!(values("!!n", &[5]), [Some(1)]);
    }

    #[test]
    fn what_is_not_chosen_may_divide_by_zero() {
        assert_eq!(values("n%0", &[1]), [None]);
        assert_eq!(values("n == 0 ? 3 : 10/n", &[0, 5]), [Some(3), Some(2)]);
        assert_eq!(values("n != 0 && 4/n", &[0, 5]), [Some(0), Some(0)]);
    }

    #[test]
    fn what_is_no_expression_is_none() {
        for text in ["", "EXPRESSION", "n ==", "(n", "n)", "n ? 1", "n = 1", "-n", "99999999999999999999", "n n", "m"] {
            assert_eq!(Expression::parse(text), None, "{text}");
        }
        assert_eq!(Expression::parse(&"(".repeat(LONGEST)), None);
        assert_eq!(Expression::parse(&format!("{}n", "n?1:".repeat(100))), None);
        assert!(Expression::parse(&format!("{}n", "n+".repeat(400))).is_some());
        assert!(Expression::parse(&format!("{}n", "!".repeat(900))).is_some());
        assert_eq!(Expression::parse(&format!("{}n", "!".repeat(LONGEST))), None);
    }
}
