//! The numbers of search and evaluation, in one table: default, least, most, and the step in which
//! a tuner should try them. Centipawns unless the description says otherwise.

/// One number as a tuner sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// What it is without tuning.
    pub default: i32,
    /// Least sensible value.
    pub min: i32,
    /// Largest sensible value.
    pub max: i32,
    /// A change that could be felt.
    pub step: i32,
}

macro_rules! tunables {
    ($($(#[$about:meta])* $name:ident = $default:literal in $min:literal..=$max:literal by $step:literal;)*) => {
        /// The values in use.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Tunables {
            $($(#[$about])* pub $name: i32,)*
        }

        impl Default for Tunables {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Tunables {
            /// Every number that can be tuned.
            pub const TABLE: &'static [Tunable] = &[$(Tunable {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
            },)*];

            /// Sets a number by name; `false` when there is none of that name or the value is out of
            /// its range.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) if ($min..=$max).contains(&value) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

tunables! {
    /// Half width of the first aspiration window.
    aspiration = 24 in 5..=100 by 4;
    /// Reverse futility: margin for each ply of depth.
    reverse_futility = 85 in 30..=200 by 10;
    /// Reverse futility: deepest, in plies.
    reverse_futility_depth = 7 in 1..=12 by 1;
    /// Razoring: margin for each ply of depth.
    razoring = 220 in 80..=500 by 25;
    /// Null move: plies taken off at least.
    null_move = 3 in 1..=5 by 1;
    /// Null move: score above beta that takes one more ply off.
    null_move_margin = 200 in 80..=400 by 25;
    /// Futility: margin at depth 0.
    futility = 110 in 20..=300 by 20;
    /// Futility: margin for each ply of depth.
    futility_slope = 85 in 20..=200 by 10;
    /// Exchange pruning of captures: loss allowed for each ply of depth.
    exchange_capture = 90 in 20..=250 by 15;
    /// Late move reductions: constant, in 1/256 ply.
    reduction_base = 140 in 0..=400 by 25;
    /// Late move reductions: factor of log2(depth) log2(number), in 1/256 ply.
    reduction_slope = 58 in 20..=120 by 6;
    /// Quiescence: margin above the value of the captured man.
    delta = 150 in 50..=400 by 25;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_in_their_ranges_and_can_be_set() {
        let mut tunables = Tunables::default();
        for tunable in Tunables::TABLE {
            assert!((tunable.min..=tunable.max).contains(&tunable.default), "{}", tunable.name);
            assert!(tunables.set(tunable.name, tunable.max));
            assert!(!tunables.set(tunable.name, tunable.max + 1));
        }
        assert!(!tunables.set("nothing", 0));
    }
}
