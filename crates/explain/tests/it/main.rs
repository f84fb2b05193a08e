//! Tests of the explanations, in one program so that it is linked once.

mod english;
mod german;
mod manual;
mod texts;
