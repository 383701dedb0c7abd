// What CodeMirror says, in Chinese.
import { EditorState } from "@codemirror/state";

const CHINESE = {
  Completions: "补全",
  "Control character": "控制字符",
  "Selection deleted": "已删除所选内容",
};

export function phrases(chinese) {
  return chinese ? EditorState.phrases.of(CHINESE) : [];
}
