//! Tests of the walker, in one program so that it is linked once.

mod four;
mod perft_files;
mod perft_table;
mod random_games;
mod symmetry;
mod traps;
