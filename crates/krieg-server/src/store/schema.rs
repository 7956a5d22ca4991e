//! Creates the tables of a new database, and migrates older databases.

use rusqlite::Connection;

use super::StoreError;

/// The tables of the current version.
const SCHEMA: &str = include_str!("schema.sql");
/// The migration from each version to the next, starting with version 1. Released migrations never
/// change.
const MIGRATIONS: [&str; 1] = [include_str!("migration_2.sql")];
/// The current version, stored in the database as `user_version`.
const VERSION: u32 = MIGRATIONS.len() as u32 + 1;

/// Brings a database to the current version. Each step is one transaction.
pub fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let version =
        connection.pragma_query_value(None, "user_version", |row| row.get::<_, u32>(0))?;
    match version {
        0 => run(connection, SCHEMA, VERSION),
        1..VERSION => {
            // A table that others refer to can be replaced only while foreign keys are not
            // enforced.
            connection.pragma_update(None, "foreign_keys", false)?;
            for (step, to) in MIGRATIONS.iter().zip(2..).skip(version as usize - 1) {
                run(connection, step, to)?;
                tracing::info!("the database was migrated to version {to}");
            }
            connection.pragma_update(None, "foreign_keys", true)?;
            Ok(())
        }
        VERSION => Ok(()),
        _ => {
            let error = format!(
                "the database has version {version}, but this program supports versions up to \
                 {VERSION}; a newer program wrote it"
            );
            Err(StoreError(error.into()))
        }
    }
}

fn run(connection: &mut Connection, step: &str, version: u32) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(step)?;
    transaction.pragma_update(None, "user_version", version)?;
    transaction.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A database as version 1 of the program created it, with a row in every table.
    fn version_1() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(include_str!("fixtures/version_1.sql")).unwrap();
        connection.pragma_update(None, "foreign_keys", true).unwrap();
        connection
    }

    fn current() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        connection
    }

    /// All columns of all tables, with their types, and all foreign keys.
    fn structure(connection: &Connection) -> Vec<String> {
        let sql = r#"
            SELECT t.name || ' ' || c.cid || ' ' || c.name || ' ' || c.type || c."notnull" || c.pk
              FROM sqlite_schema t, pragma_table_info(t.name) c
            UNION SELECT t.name || ' ' || f."from" || ' -> ' || f."table" || '.' || f."to"
              FROM sqlite_schema t, pragma_foreign_key_list(t.name) f
            UNION SELECT name || ' on ' || tbl_name FROM sqlite_schema WHERE type = 'index'
            ORDER BY 1"#;
        let mut rows = connection.prepare(sql).unwrap();
        let rows = rows.query_map([], |row| row.get(0)).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn migrated_database_has_the_structure_of_a_new_one() {
        let mut old = version_1();
        migrate(&mut old).unwrap();
        assert_eq!(structure(&old), structure(&current()));
        assert!(structure(&old).len() > 40);
    }

    #[test]
    fn migration_keeps_all_rows() {
        let mut old = version_1();
        migrate(&mut old).unwrap();
        let one = |sql: &str| -> String { old.query_row(sql, [], |row| row.get(0)).unwrap() };
        assert_eq!(one("SELECT name FROM users WHERE folded_name = 'ann'"), "Ann");
        assert_eq!(one("SELECT length(token_digest) || '' FROM sessions WHERE user = 1"), "32");
        assert_eq!(
            one("SELECT group_concat(status ORDER BY number) FROM games"),
            "over,cancelled,playing"
        );
        assert_eq!(one("SELECT rematch FROM games WHERE id = 'first'"), "second");
        assert_eq!(one("SELECT event FROM events WHERE game = 1 AND number = 0"), "try e2e4 1250");
        assert_eq!(one("SELECT guesses FROM guesses WHERE color = 'white'"), "e5p");
        assert_eq!(one("SELECT ruleset FROM ratings WHERE user = 2"), "icc");
        assert_eq!(one("SELECT analysis FROM analyses WHERE game = 1"), "{}");
        let violations: i64 = old
            .query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(violations, 0);
        let enforced: bool =
            old.pragma_query_value(None, "foreign_keys", |row| row.get(0)).unwrap();
        assert!(enforced);
    }

    #[test]
    fn current_database_is_left_alone() {
        let mut connection = current();
        let sql = "INSERT INTO users (name, folded_name, kind, created_ms)
                   VALUES ('Ann', 'ann', 'guest', 0)";
        connection.execute(sql, []).unwrap();
        migrate(&mut connection).unwrap();
        let users: i64 =
            connection.query_row("SELECT count(*) FROM users", [], |row| row.get(0)).unwrap();
        assert_eq!(users, 1);
    }

    #[test]
    fn database_of_a_newer_version_is_rejected() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.pragma_update(None, "user_version", 99).unwrap();
        let error = migrate(&mut connection).unwrap_err().to_string();
        assert!(error.contains("version 99"), "{error}");
    }
}
