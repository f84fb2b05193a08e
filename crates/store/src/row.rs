//! Rows that become structures, each column the field of its name. `sqlx` has a derive for this; with it all of `sqlx`,
//! its runtime included, is compiled a second time for the build.

/// Reads a structure from a row: `from_row!(Name { field, field })`, or `from_row!(Name { field; part })` where a part has
/// columns of its own.
macro_rules! from_row {
    ($name:ident { $($field:ident),+ $(; $part:ident)? }) => {
        impl sqlx::FromRow<'_, sqlx::any::AnyRow> for $name {
            fn from_row(row: &sqlx::any::AnyRow) -> sqlx::Result<Self> {
                Ok(Self {
                    $($field: sqlx::Row::try_get(row, stringify!($field))?,)+
                    $($part: sqlx::FromRow::from_row(row)?,)?
                })
            }
        }
    };
}

pub(super) use from_row;
