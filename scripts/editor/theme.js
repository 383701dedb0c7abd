// The editor's look: only the page's own tokens, so that it follows the theme by itself.
import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.bool, tags.null], color: "var(--sql-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--sql-text)" },
  { tag: tags.number, color: "var(--sql-number)" },
  { tag: tags.comment, color: "var(--sql-comment)" },
]);

/** Beside each changed line stands a sign, and what changed is struck out or underlined: colour only adds to it. */
const SIGN = {
  insetInlineStart: "0.625rem",
  position: "absolute",
  fontWeight: "650",
};

export const theme = EditorView.theme({
  "&": {
    background: "var(--sunken)",
    border: "var(--stroke) solid var(--line-strong)",
    borderRadius: "var(--radius-s)",
    color: "var(--ink)",
    fontSize: "var(--text-s)",
    maxBlockSize: "24rem",
    minBlockSize: "5.5rem",
  },
  "&.cm-focused": {
    outline: "var(--stroke-bold) solid var(--focus)",
    outlineOffset: "0",
  },
  ".cm-scroller": {
    fontFamily: "var(--font-code)",
    lineHeight: "1.6",
    minBlockSize: "5.5rem",
  },
  ".cm-content": {
    caretColor: "var(--ink)",
    minInlineSize: "0",
    padding: "var(--space-2) 0",
  },
  ".cm-line, .cm-deletedLine": {
    overflowWrap: "anywhere",
    padding: "0 var(--space-3) 0 1.75rem",
    position: "relative",
  },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "transparent",
    outline: "var(--stroke) solid var(--line-strong)",
  },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "transparent" },
  ".cm-specialChar": { color: "var(--danger)" },

  "&.cm-merge-b .cm-deletedChunk": {
    backgroundColor: "var(--danger-soft)",
    padding: "0",
  },
  "&.cm-merge-b .cm-deletedChunk .cm-deletedLine, &.cm-merge-b .cm-deletedChunk del": {
    textDecoration: "none",
  },
  "&.cm-merge-b .cm-deletedChunk .cm-deletedText": {
    background: "none",
    textDecoration: "line-through",
    textDecorationColor: "var(--danger)",
    textDecorationThickness: "0.1em",
  },
  "&.cm-merge-b .cm-deletedLine::before": { ...SIGN, color: "var(--danger)", content: '"−"' },
  "&.cm-merge-b .cm-changedLine": { backgroundColor: "var(--accent-soft)" },
  "&.cm-merge-b .cm-changedText": {
    background: "none",
    textDecoration: "underline",
    textDecorationColor: "var(--accent)",
    textDecorationThickness: "0.14em",
    textUnderlineOffset: "0.2em",
  },
  "&.cm-merge-b .cm-insertedLine": { textDecoration: "none" },
  "&.cm-merge-b .cm-changedLine::before": { ...SIGN, color: "var(--accent)", content: '"+"' },

  ".cm-tooltip.cm-tooltip-autocomplete": {
    background: "var(--surface)",
    border: "var(--stroke) solid var(--line)",
    borderRadius: "var(--radius-s)",
    boxShadow: "var(--shadow-high)",
    color: "var(--ink)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--font-code)",
    fontSize: "var(--text-s)",
    maxBlockSize: "none",
    maxInlineSize: "min(24rem, 90vw)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    alignItems: "center",
    display: "flex",
    gap: "var(--space-3)",
    justifyContent: "space-between",
    lineHeight: "1.3",
    minBlockSize: "1.75rem",
    padding: "0 var(--space-3)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--accent)",
    color: "var(--accent-ink)",
  },
  ".cm-completionMatchedText": { fontWeight: "650" },
  ".cm-completionDetail": {
    color: "var(--ink-soft)",
    fontStyle: "normal",
    marginInlineStart: "0",
  },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
});
