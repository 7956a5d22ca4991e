//! The tables, and how an older file becomes one of today.

use rusqlite::Connection;

use super::StoreError;

/// Each step brings a file from one version to the next. What was released is never changed, only added to.
const STEPS: [&str; 1] = [include_str!("schema_1.sql")];

/// Brings a file up to date, a step at a time, each of them whole or not at all.
pub fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let version =
        connection.pragma_query_value(None, "user_version", |row| row.get::<_, u32>(0))?;
    let version = version as usize;
    if version > STEPS.len() {
        let why = format!(
            "the file is of version {version}, and this program knows {} at most: it was written by a newer one",
            STEPS.len()
        );
        return Err(StoreError(why.into()));
    }
    for (done, step) in STEPS.iter().enumerate().skip(version) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", done as u32 + 1)?;
        transaction.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_brought_up_to_date_once() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        connection
            .execute("INSERT INTO people (name, folded, kind, created_ms) VALUES ('Ann', 'ann', 'guest', 0)", [])
            .unwrap();
        migrate(&mut connection).unwrap();
        let people: i64 =
            connection.query_row("SELECT count(*) FROM people", [], |row| row.get(0)).unwrap();
        assert_eq!(people, 1);
    }

    #[test]
    fn a_file_from_the_future_is_left_alone() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.pragma_update(None, "user_version", 99).unwrap();
        let error = migrate(&mut connection).unwrap_err().to_string();
        assert!(error.contains("version 99"), "{error}");
    }
}
