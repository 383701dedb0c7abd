// SQLite's SQL with the names of the schema at hand.
import { keywordCompletionSource, schemaCompletionSource, SQLite } from "@codemirror/lang-sql";
import { LanguageSupport, syntaxTree } from "@codemirror/language";

const KEYWORDS = new Set(SQLite.spec.keywords.split(" "));
const WORD = /[\w$\u0080-\uffff]*/;

/** The name as it has to be written. */
function written(name) {
  const plain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !KEYWORDS.has(name.toLowerCase());
  return plain ? name : `"${name.replaceAll('"', '""')}"`;
}

function option(name, type, detail) {
  return { label: name, apply: written(name), type, detail };
}

export function language(tables) {
  const schema = Object.fromEntries(
    tables.map(([name, columns]) => [
      name,
      { self: option(name, "type"), children: columns.map(([column, type]) => option(column, "property", type)) },
    ]),
  );
  const keywords = keywordCompletionSource(SQLite, true);
  const sources = [
    schemaCompletionSource({ dialect: SQLite, schema }),
    (context) => (isQualified(context) ? null : keywords(context)),
    (context) => (isQualified(context) ? null : columns(context, tables)),
  ];
  return new LanguageSupport(SQLite.language, sources.map((autocomplete) => SQLite.language.data.of({ autocomplete })));
}

/** After `table.` only its columns can follow. */
function isQualified(context) {
  return context.matchBefore(/\.[\w$\u0080-\uffff]*/) !== null;
}

/** Columns without their table: those of tables that the statement names come first. */
function columns(context, tables) {
  const word = context.matchBefore(WORD);
  if (word === null || (word.from === word.to && !context.explicit)) return null;
  const around = syntaxTree(context.state).resolveInner(context.pos, -1).name;
  if (/Comment|String|Quoted/.test(around)) return null;
  const text = context.state.doc.toString().toLowerCase();
  const options = tables.flatMap(([table, columns]) => {
    const boost = text.includes(table.toLowerCase()) ? 2 : -2;
    return columns.map(([column]) => ({ ...option(column, "property", table), boost }));
  });
  return { from: word.from, options, validFor: WORD };
}
