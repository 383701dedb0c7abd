// The editor of the approval card: a text area becomes CodeMirror. The text area stays the truth: it takes every
// change and says so by its `input` event, so that whoever reads it need not know of the editor.
import { autocompletion, closeCompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorSelection, EditorState } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, tooltips } from "@codemirror/view";
import { language } from "./completion.js";
import { phrases } from "./phrases.js";
import { colours, theme } from "./theme.js";

// Ctrl+Enter approves, which is the card's business.
const KEYS = [...completionKeymap, ...historyKeymap, ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter")];

/** As many completions as fit without a bar to scroll by: keys move the window. */
const OPTIONS = 8;

/**
 * Shows `area` as an editor. `original` is the text that the difference is shown against, `tables` the schema as
 * `[name, [[column, type], …]]`, `description` what a screen reader says of the keys, `problem` why the last
 * edit was refused. Returns what ends it.
 */
export function open({ area, original, tables, label, description, problem, chinese }) {
  const host = document.createElement("div");
  host.className = "editor";
  // Keys mean text here; the real target is hidden in the shadow tree.
  host.dataset.typing = "";
  // In a shadow tree the styles are constructed sheets, which the page's policy allows; in the document they
  // would be an inline element, which it does not.
  const root = host.attachShadow({ mode: "open" });
  const about = root.appendChild(document.createElement("p"));
  about.id = "about";
  about.hidden = true;
  about.textContent = [problem, description].filter(Boolean).join(" ");
  const focused = area.ownerDocument.activeElement === area;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: area.value,
      selection: EditorSelection.single(area.selectionStart, area.selectionEnd),
      extensions: [
        history(),
        highlightSpecialChars(),
        bracketMatching(),
        EditorView.lineWrapping,
        language(tables),
        autocompletion({ icons: false, maxRenderedOptions: OPTIONS }),
        tooltips({ position: "fixed" }),
        unifiedMergeView({ original, mergeControls: false, gutter: false }),
        syntaxHighlighting(colours),
        theme,
        keymap.of(KEYS),
        phrases(chinese),
        EditorView.contentAttributes.of({
          "aria-label": label,
          "aria-describedby": about.id,
          "aria-invalid": String(Boolean(problem)),
          translate: "no",
        }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) tell(area, state.doc.toString());
        }),
        EditorView.domEventHandlers({ blur: (_, view) => void closeCompletion(view) }),
      ],
    }),
  });
  const toEditor = () => view.focus();
  for (const label of area.labels) label.addEventListener("click", toEditor);
  area.hidden = true;
  area.after(host);
  if (focused) view.focus();
  return {
    close() {
      view.destroy();
      host.remove();
    },
  };
}

function tell(area, text) {
  area.value = text;
  area.dispatchEvent(new Event("input", { bubbles: true }));
}
