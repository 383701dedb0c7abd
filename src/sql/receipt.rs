//! The receipt: SQLite's compiled program (the rows of EXPLAIN) read as proof that a statement only reads,
//! and as the list of tables and columns that it reads. Pure: rows and catalogue are handed in.
//!
//! Every instruction must be one that is known to be harmless; an unknown one is refused like a write.
//! Where the program does not tell (virtual tables, expression indexes) the table is named and the
//! columns may be incomplete; a column that is only used through its index's order is named too.

use super::verdict::{Denial, Rule, TableRead};
use std::collections::{BTreeMap, BTreeSet};

/// One row of EXPLAIN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    pub opcode: String,
    pub p1: i64,
    pub p2: i64,
    pub p3: i64,
    pub p4: String,
}

/// What a b-tree holds, found by its root page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Root {
    pub table: String,
    /// Column names by position in the stored record; `None` for an expression or the rowid.
    pub slots: Vec<Option<String>>,
    /// The column that is an alias of the rowid.
    pub rowid: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalog {
    pub roots: BTreeMap<i64, Root>,
    /// Virtual tables by lower-case name: the name as written, and the columns.
    pub virtual_tables: BTreeMap<String, (String, Vec<String>)>,
    /// CREATE texts of views by lower-case name.
    pub views: BTreeMap<String, String>,
}

/// What the program does, once it is known to be harmless.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    pub reads: Vec<TableRead>,
    pub instructions: u32,
    /// Text constants of the program. A double-quoted name found here was taken as text.
    pub texts: BTreeSet<String>,
}

/// Reads a program. `names` are the lower-case names that the statement mentions: virtual tables carry
/// no name in the program, so they are told apart by the names in the text.
///
/// # Errors
/// The first instruction that writes, has a side effect or is not known, or the first refused function.
pub fn read_program(
    program: &[Instruction],
    catalog: &Catalog,
    names: &BTreeSet<String>,
) -> Result<Program, Denial> {
    let mut texts = BTreeSet::new();
    for instruction in program {
        harmless(instruction)?;
        if matches!(instruction.opcode.as_str(), "String8" | "String") {
            texts.insert(instruction.p4.clone());
        }
    }
    let mut reads = Reads::default();
    reads.collect(program, catalog);
    reads.collect_virtual(program, catalog, names)?;
    Ok(Program {
        reads: reads.into_list(),
        instructions: u32::try_from(program.len()).unwrap_or(u32::MAX),
        texts,
    })
}

fn harmless(instruction: &Instruction) -> Result<(), Denial> {
    let denied = |rule, token: &str| {
        Err(Denial {
            rule,
            token: token.to_owned(),
            position: None,
        })
    };
    let opcode = instruction.opcode.as_str();
    match opcode {
        "Transaction" if instruction.p2 != 0 => denied(Rule::Writes, "write transaction"),
        "Function" | "PureFunc" => {
            let name = function_name(&instruction.p4);
            if REFUSED_FUNCTIONS
                .iter()
                .any(|f| f.eq_ignore_ascii_case(name))
            {
                denied(Rule::Function, name)
            } else {
                Ok(())
            }
        }
        _ if READING.binary_search(&opcode).is_ok() => Ok(()),
        _ => denied(Rule::Writes, opcode),
    }
}

/// `name` of `name(2)`.
fn function_name(p4: &str) -> &str {
    p4.rsplit_once('(').map_or(p4, |(name, _)| name)
}

/// Functions that reach outside the query. `optimize` is the full-text search one: it rewrites the index.
const REFUSED_FUNCTIONS: &[&str] = &[
    "sqlite_attach",
    "sqlite_detach",
    "load_extension",
    "fts3_tokenizer",
    "optimize",
    "readfile",
    "writefile",
    "edit",
];

/// Table-valued pragmas that only tell. `pragma_optimize` runs ANALYZE, and no instruction shows it.
const TELLING_PRAGMAS: &[&str] = &[
    "pragma_application_id",
    "pragma_collation_list",
    "pragma_compile_options",
    "pragma_database_list",
    "pragma_encoding",
    "pragma_foreign_key_check",
    "pragma_foreign_key_list",
    "pragma_freelist_count",
    "pragma_function_list",
    "pragma_index_info",
    "pragma_index_list",
    "pragma_index_xinfo",
    "pragma_module_list",
    "pragma_page_count",
    "pragma_page_size",
    "pragma_pragma_list",
    "pragma_schema_version",
    "pragma_table_info",
    "pragma_table_list",
    "pragma_table_xinfo",
    "pragma_user_version",
];

/// Instructions of a program that only reads, sorted. Inserts and deletes are among them because sorting,
/// recursion and windows use scratch tables; on a stored table they need `OpenWrite`, which is not here.
const READING: &[&str] = &[
    "Abortable",
    "Add",
    "AddImm",
    "Affinity",
    "AggFinal",
    "AggInverse",
    "AggStep",
    "AggStep1",
    "AggValue",
    "And",
    "BeginSubrtn",
    "BitAnd",
    "BitNot",
    "BitOr",
    "Blob",
    "Cast",
    "Close",
    "ClrSubtype",
    "CollSeq",
    "Column",
    "ColumnsUsed",
    "Compare",
    "Concat",
    "Copy",
    "Count",
    "CursorHint",
    "DecrJumpZero",
    "DeferredSeek",
    "Delete",
    "Divide",
    "ElseEq",
    "EndCoroutine",
    "Eq",
    "Explain",
    "Filter",
    "FilterAdd",
    "FinishSeek",
    "Found",
    "Ge",
    "GetSubtype",
    "Gosub",
    "Goto",
    "Gt",
    "Halt",
    "HaltIfNull",
    "IFindKey",
    "IdxGE",
    "IdxGT",
    "IdxInsert",
    "IdxLE",
    "IdxLT",
    "IdxRowid",
    "If",
    "IfEmpty",
    "IfNoHope",
    "IfNot",
    "IfNotZero",
    "IfNullRow",
    "IfPos",
    "IfSizeBetween",
    "Init",
    "InitCoroutine",
    "Insert",
    "Int64",
    "IntCopy",
    "Integer",
    "IsNull",
    "IsTrue",
    "IsType",
    "Jump",
    "Last",
    "Le",
    "Lt",
    "MakeRecord",
    "Move",
    "Multiply",
    "MustBeInt",
    "Ne",
    "NewRowid",
    "Next",
    "NoConflict",
    "Noop",
    "Not",
    "NotExists",
    "NotFound",
    "NotNull",
    "Null",
    "NullRow",
    "Offset",
    "OffsetLimit",
    "Once",
    "OpenAutoindex",
    "OpenDup",
    "OpenEphemeral",
    "OpenPseudo",
    "OpenRead",
    "Or",
    "Permutation",
    "Prev",
    "Real",
    "RealAffinity",
    "ReleaseReg",
    "Remainder",
    "ReopenIdx",
    "ResetSorter",
    "ResultRow",
    "Return",
    "Rewind",
    "RowData",
    "RowSetAdd",
    "RowSetRead",
    "RowSetTest",
    "Rowid",
    "SCopy",
    "SeekEnd",
    "SeekGE",
    "SeekGT",
    "SeekHit",
    "SeekLE",
    "SeekLT",
    "SeekRowid",
    "SeekScan",
    "Sequence",
    "SequenceTest",
    "SetSubtype",
    "ShiftLeft",
    "ShiftRight",
    "SoftNull",
    "Sort",
    "SorterCompare",
    "SorterData",
    "SorterInsert",
    "SorterNext",
    "SorterOpen",
    "SorterSort",
    "String",
    "String8",
    "Subtract",
    "Trace",
    "Transaction",
    "VColumn",
    "VFilter",
    "VInitIn",
    "VNext",
    "VOpen",
    "Yield",
    "ZeroOrNull",
];

#[derive(Default)]
struct Reads {
    /// In the order in which the program opens them.
    tables: Vec<String>,
    columns: BTreeMap<String, Vec<String>>,
}

impl Reads {
    fn table(&mut self, table: &str) {
        if !self.tables.iter().any(|t| t == table) {
            self.tables.push(table.to_owned());
        }
    }

    fn column(&mut self, table: &str, column: Option<&String>) {
        let Some(column) = column else { return };
        let columns = self.columns.entry(table.to_owned()).or_default();
        if !columns.contains(column) {
            columns.push(column.clone());
        }
    }

    fn into_list(mut self) -> Vec<TableRead> {
        self.tables
            .into_iter()
            .map(|table| TableRead {
                columns: self.columns.remove(&table).unwrap_or_default(),
                table,
            })
            .collect()
    }

    fn collect(&mut self, program: &[Instruction], catalog: &Catalog) {
        // A program may open the same cursor twice (OR of indexes), and reads may stand before the open.
        let mut cursors: BTreeMap<i64, Vec<&Root>> = BTreeMap::new();
        let temporary = Root {
            table: "sqlite_temp_schema".to_owned(),
            ..Root::default()
        };
        for open in program
            .iter()
            .filter(|i| matches!(i.opcode.as_str(), "OpenRead" | "ReopenIdx"))
        {
            let root = if open.p3 == 1 {
                Some(&temporary)
            } else {
                catalog.roots.get(&open.p2)
            };
            match root {
                Some(root) => {
                    self.table(&root.table);
                    cursors.entry(open.p1).or_default().push(root);
                }
                None => self.table(&format!("(root page {})", open.p2)),
            }
        }
        for instruction in program {
            for &root in cursors.get(&instruction.p1).into_iter().flatten() {
                match instruction.opcode.as_str() {
                    "Column" => self.column(&root.table, slot(root, instruction.p2)),
                    "Rowid" | "IdxRowid" | "SeekRowid" | "NotExists" => {
                        self.column(&root.table, root.rowid.as_ref());
                    }
                    "SeekGE" | "SeekGT" | "SeekLE" | "SeekLT" | "IdxGE" | "IdxGT" | "IdxLE"
                    | "IdxLT" | "Found" | "NotFound" | "NoConflict" => {
                        // A seek in the table itself goes by rowid; in an index P4 counts the key's columns.
                        let Ok(fields) = instruction.p4.parse() else {
                            if instruction.opcode.starts_with("Seek") {
                                self.column(&root.table, root.rowid.as_ref());
                            }
                            continue;
                        };
                        for name in root.slots.iter().take(fields) {
                            self.column(&root.table, name.as_ref());
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn collect_virtual(
        &mut self,
        program: &[Instruction],
        catalog: &Catalog,
        names: &BTreeSet<String>,
    ) -> Result<(), Denial> {
        let cursors: BTreeSet<i64> = program
            .iter()
            .filter(|i| i.opcode == "VOpen")
            .map(|i| i.p1)
            .collect();
        if cursors.is_empty() {
            return Ok(());
        }
        if let Some(pragma) = names
            .iter()
            .find(|n| n.starts_with("pragma_") && !TELLING_PRAGMAS.contains(&n.as_str()))
        {
            return Err(Denial {
                rule: Rule::Function,
                token: pragma.clone(),
                position: None,
            });
        }
        let stored: Vec<_> = names
            .iter()
            .filter_map(|n| catalog.virtual_tables.get(n))
            .collect();
        let built_in: Vec<_> = names.iter().filter(|n| is_built_in_table(n)).collect();
        for (table, _) in &stored {
            self.table(table);
        }
        for table in &built_in {
            self.table(table);
        }
        if let ([(table, columns)], []) = (stored.as_slice(), built_in.as_slice()) {
            for read in program.iter().filter(|i| i.opcode == "VColumn") {
                if cursors.contains(&read.p1) {
                    let position = usize::try_from(read.p2).ok();
                    self.column(table, position.and_then(|p| columns.get(p)));
                }
            }
        }
        if stored.is_empty() && built_in.is_empty() {
            self.table("(virtual table)");
        }
        Ok(())
    }
}

fn slot(root: &Root, position: i64) -> Option<&String> {
    usize::try_from(position)
        .ok()
        .and_then(|p| root.slots.get(p))
        .and_then(Option::as_ref)
}

/// Table-valued functions that come with SQLite.
fn is_built_in_table(name: &str) -> bool {
    name.starts_with("pragma_")
        || matches!(
            name,
            "json_each" | "json_tree" | "jsonb_each" | "jsonb_tree" | "generate_series"
        )
}

#[cfg(test)]
#[path = "receipt_tests.rs"]
mod tests;
