//! The server from outside: everything that people and programs can do to it.

mod api_clients;
mod common;
mod invalid_requests;
mod leak;
mod play;
mod rule_examples;
