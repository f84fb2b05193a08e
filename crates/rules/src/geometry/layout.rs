//! Where each cell is drawn.
