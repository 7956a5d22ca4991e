//! The server from outside: everything that people and programs can do to it.

mod common;
mod hostile;
mod leak;
mod programs;
mod scenes;
mod table;
