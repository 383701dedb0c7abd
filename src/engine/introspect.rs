//! The schema of an open database, object by object, so that one broken object costs only itself. Gives the
//! snapshot for people and models, and the catalogue that receipts are read with. Knows no messages.

use super::count::Counter;
use super::protocol::Finding;
use super::sqlite::{Query, Sqlite, SqliteError, literal, protect, rows};
use crate::sql::comments::comments;
use crate::sql::lex::tokens;
use crate::sql::receipt::{Catalog, Root};
use crate::sql::{Column, ForeignKey, Generated, Index, RowCount, Schema, Table, TableKind};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Introspection {
    pub schema: Schema,
    pub catalog: Catalog,
    /// Missing modules and broken views.
    pub findings: Vec<Finding>,
}

/// A row of `sqlite_schema`.
struct Object {
    kind: String,
    name: String,
    table: String,
    root: i64,
    sql: String,
}

/// Reads the schema. Row counts are exact only where counting is cheap for a file of `file_bytes`.
///
/// # Errors
/// Where not even the list of objects can be read.
pub fn introspect<S: Sqlite>(
    db: &mut S,
    file_bytes: u64,
    clock: &dyn Fn() -> f64,
) -> Result<Introspection, SqliteError> {
    protect(db)?;
    let objects = rows(
        db,
        "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema",
        |row| Object {
            kind: row.text(0),
            name: row.text(1),
            table: row.text(2),
            root: row.integer(3),
            sql: row.text(4),
        },
    )?;
    let mut counter = Counter::new(file_bytes, clock);
    counter.read_statistics(db);
    let mut found = Introspection::default();
    found.catalog.roots.insert(1, schema_root());
    let index_roots = index_roots(&objects);
    let shadows = shadow_names(&objects);
    for object in &objects {
        if !matches!(object.kind.as_str(), "table" | "view") {
            continue;
        }
        let mut table = describe(db, object, &shadows)?;
        let keys = keys(db, object, &index_roots, &mut table)?;
        catalogue(&mut found.catalog, object, &table, keys);
        if table.problem.is_none() {
            table.rows = counter.count(db, &table)?;
        }
        // SQLite's own bookkeeping is not the person's; receipts still name it.
        if !object.name.to_ascii_lowercase().starts_with("sqlite_") {
            found.schema.tables.push(table);
        }
    }
    resolve_references(&mut found.schema);
    found.findings = findings(&found.schema);
    Ok(found)
}

fn schema_root() -> Root {
    Root {
        table: "sqlite_schema".to_owned(),
        slots: ["type", "name", "tbl_name", "rootpage", "sql"]
            .iter()
            .map(|c| Some((*c).to_owned()))
            .collect(),
        rowid: None,
    }
}

/// Root pages of indexes by table and index name. The key of a WITHOUT ROWID table is not among them.
fn index_roots(objects: &[Object]) -> BTreeMap<(String, String), i64> {
    objects
        .iter()
        .filter(|o| o.kind == "index")
        .map(|o| ((o.table.to_ascii_lowercase(), o.name.clone()), o.root))
        .collect()
}

/// Backing tables of virtual tables, by what their modules call them. SQLite itself knows them only where
/// the module is compiled in.
fn shadow_names(objects: &[Object]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for object in objects {
        let Some(module) = module(&object.sql) else {
            continue;
        };
        let suffixes: &[&str] = match module.to_ascii_lowercase().as_str() {
            "fts3" | "fts4" => &["content", "segments", "segdir", "docsize", "stat"],
            "fts5" => &["data", "idx", "content", "docsize", "config"],
            "rtree" | "rtree_i32" | "geopoly" => &["node", "rowid", "parent"],
            _ => &[],
        };
        for suffix in suffixes {
            names.insert(format!("{}_{suffix}", object.name).to_ascii_lowercase());
        }
    }
    names
}

/// The module of a CREATE VIRTUAL TABLE text.
fn module(sql: &str) -> Option<String> {
    let words: Vec<_> = tokens(sql).into_iter().filter(|t| t.is_solid()).collect();
    if !words.get(1)?.is(sql, "VIRTUAL") {
        return None;
    }
    let using = words.iter().position(|t| t.is(sql, "USING"))?;
    words.get(using + 1)?.name(sql)
}

fn describe<S: Sqlite>(
    db: &mut S,
    object: &Object,
    shadows: &BTreeSet<String>,
) -> Result<Table, SqliteError> {
    let kind = if object.kind == "view" {
        TableKind::View
    } else if let Some(module) = module(&object.sql) {
        TableKind::Virtual { module }
    } else if shadows.contains(&object.name.to_ascii_lowercase()) {
        TableKind::Shadow
    } else {
        TableKind::Table
    };
    let comments = comments(&object.sql);
    let mut table = Table {
        name: object.name.clone(),
        kind,
        columns: Vec::new(),
        foreign_keys: Vec::new(),
        indexes: Vec::new(),
        rows: RowCount::Unknown,
        create_sql: object.sql.clone(),
        comment: comments.table,
        problem: None,
    };
    match columns(db, &object.name) {
        Ok(columns) => table.columns = columns,
        Err(error) => table.problem = Some(survivable(error)?),
    }
    for column in &mut table.columns {
        column.comment = comments.columns.get(&column.name).cloned();
    }
    if table.kind == TableKind::View && table.problem.is_none() {
        let probe = format!("SELECT * FROM {}", super::sqlite::identifier(&object.name));
        if let Err(error) = Query::new(db, &probe).map(drop) {
            table.problem = Some(survivable(error)?);
        }
    }
    Ok(table)
}

/// The message of an error that concerns one object.
fn survivable(error: SqliteError) -> Result<String, SqliteError> {
    match error {
        SqliteError::Database { message, .. } => Ok(message),
        SqliteError::FileChanged => Err(error),
    }
}

fn columns<S: Sqlite>(db: &mut S, table: &str) -> Result<Vec<Column>, SqliteError> {
    let sql = format!("PRAGMA table_xinfo({})", literal(table));
    let columns = rows(db, &sql, |row| {
        let generated = match row.integer(6) {
            0 => Generated::No,
            2 => Generated::Virtual,
            3 => Generated::Stored,
            // 1 is a hidden column of a virtual table: it is an argument, not data.
            _ => return None,
        };
        Some(Column {
            name: row.text(1),
            declared_type: row.text(2),
            not_null: row.integer(3) != 0,
            default: row.optional_text(4),
            primary_key: u32::try_from(row.integer(5)).unwrap_or(0),
            generated,
            comment: None,
        })
    })?;
    Ok(columns.into_iter().flatten().collect())
}

/// What the indexes tell beyond the snapshot.
#[derive(Default)]
struct Keys {
    /// Root page and stored columns of each index.
    roots: Vec<(i64, Vec<Option<String>>)>,
    /// Stored columns of a WITHOUT ROWID table, key first.
    clustered: Option<Vec<Option<String>>>,
}

fn keys<S: Sqlite>(
    db: &mut S,
    object: &Object,
    roots: &BTreeMap<(String, String), i64>,
    table: &mut Table,
) -> Result<Keys, SqliteError> {
    if table.problem.is_some() || !matches!(table.kind, TableKind::Table | TableKind::Shadow) {
        return Ok(Keys::default());
    }
    match read_keys(db, object, roots, table) {
        Ok(keys) => Ok(keys),
        Err(error) => {
            table.problem = Some(survivable(error)?);
            Ok(Keys::default())
        }
    }
}

fn read_keys<S: Sqlite>(
    db: &mut S,
    object: &Object,
    roots: &BTreeMap<(String, String), i64>,
    table: &mut Table,
) -> Result<Keys, SqliteError> {
    let name = literal(&object.name);
    table.foreign_keys = foreign_keys(db, &name)?;
    let list = rows(db, &format!("PRAGMA index_list({name})"), |row| {
        let (unique, partial) = (row.integer(2) != 0, row.integer(4) != 0);
        (row.text(1), unique, row.text(3), partial)
    })?;
    let mut keys = Keys::default();
    for (index, unique, origin, partial) in list {
        let sql = format!("PRAGMA index_xinfo({})", literal(&index));
        let stored = rows(db, &sql, |row| (row.optional_text(2), row.integer(5) != 0))?;
        let columns = stored
            .iter()
            .filter(|(_, is_key)| *is_key)
            .map(|(name, _)| name.clone())
            .collect();
        let slots = stored.into_iter().map(|(name, _)| name).collect();
        let root = roots.get(&(object.name.to_ascii_lowercase(), index.clone()));
        match root {
            Some(root) => keys.roots.push((*root, slots)),
            None if origin == "pk" => keys.clustered = Some(slots),
            None => {}
        }
        table.indexes.push(Index {
            name: index,
            unique,
            columns,
            partial,
        });
    }
    Ok(keys)
}

fn foreign_keys<S: Sqlite>(db: &mut S, name: &str) -> Result<Vec<ForeignKey>, SqliteError> {
    let parts = rows(db, &format!("PRAGMA foreign_key_list({name})"), |row| {
        let (id, table, from) = (row.integer(0), row.text(2), row.text(3));
        (id, table, from, row.optional_text(4))
    })?;
    let mut by_id: BTreeMap<i64, ForeignKey> = BTreeMap::new();
    for (id, table, from, to) in parts {
        let key = by_id.entry(id).or_insert_with(|| ForeignKey {
            columns: Vec::new(),
            table,
            references: Vec::new(),
        });
        key.columns.push(from);
        key.references.extend(to);
    }
    // SQLite lists the last declaration first.
    Ok(by_id.into_values().rev().collect())
}

/// Fills in the primary key where a foreign key names only the table.
fn resolve_references(schema: &mut Schema) {
    let primary: BTreeMap<String, Vec<String>> = schema
        .tables
        .iter()
        .map(|table| {
            let mut key: Vec<&Column> =
                table.columns.iter().filter(|c| c.primary_key > 0).collect();
            key.sort_by_key(|c| c.primary_key);
            let names = key.into_iter().map(|c| c.name.clone()).collect();
            (table.name.to_ascii_lowercase(), names)
        })
        .collect();
    for key in schema.tables.iter_mut().flat_map(|t| &mut t.foreign_keys) {
        if key.references.is_empty()
            && let Some(names) = primary.get(&key.table.to_ascii_lowercase())
        {
            key.references.clone_from(names);
        }
    }
}

fn catalogue(catalog: &mut Catalog, object: &Object, table: &Table, keys: Keys) {
    let lower = object.name.to_ascii_lowercase();
    match &table.kind {
        TableKind::View => {
            catalog.views.insert(lower, object.sql.clone());
        }
        TableKind::Virtual { .. } => {
            let columns = table.columns.iter().map(|c| c.name.clone()).collect();
            catalog
                .virtual_tables
                .insert(lower, (object.name.clone(), columns));
        }
        TableKind::Table | TableKind::Shadow => {
            let rowid = match keys.clustered {
                Some(_) => None,
                None => rowid_alias(table),
            };
            let slots = keys.clustered.unwrap_or_else(|| stored_columns(table));
            for (root, slots) in keys.roots {
                let rowid = rowid.clone();
                let table = object.name.clone();
                let index = Root {
                    table,
                    slots,
                    rowid,
                };
                catalog.roots.insert(root, index);
            }
            let table = object.name.clone();
            let root = Root {
                table,
                slots,
                rowid,
            };
            catalog.roots.insert(object.root, root);
        }
    }
}

/// Virtual generated columns are computed, not stored.
fn stored_columns(table: &Table) -> Vec<Option<String>> {
    table
        .columns
        .iter()
        .filter(|c| c.generated != Generated::Virtual)
        .map(|c| Some(c.name.clone()))
        .collect()
}

/// The single primary key column of type exactly INTEGER, unless an index of its own shows otherwise.
fn rowid_alias(table: &Table) -> Option<String> {
    let mut key = table.columns.iter().filter(|c| c.primary_key > 0);
    let (first, second) = (key.next()?, key.next());
    let has_index = table.indexes.iter().any(|i| {
        i.name.starts_with("sqlite_autoindex_") && i.columns == [Some(first.name.clone())]
    });
    (second.is_none() && !has_index && first.declared_type.eq_ignore_ascii_case("INTEGER"))
        .then(|| first.name.clone())
}

fn findings(schema: &Schema) -> Vec<Finding> {
    let mut missing: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut broken = Vec::new();
    for table in &schema.tables {
        let Some(problem) = &table.problem else {
            continue;
        };
        match &table.kind {
            TableKind::Virtual { module } if problem.starts_with("no such module") => {
                missing.entry(module).or_default().push(table.name.clone());
            }
            TableKind::View => broken.push(Finding::BrokenView {
                view: table.name.clone(),
                message: problem.clone(),
            }),
            _ => broken.push(Finding::Corrupt {
                message: format!("{}: {problem}", table.name),
            }),
        }
    }
    let missing = missing
        .into_iter()
        .map(|(module, tables)| Finding::MissingModule {
            module: module.to_owned(),
            tables,
        });
    missing.chain(broken).collect()
}
