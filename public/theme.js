// Before the first paint: theme and language as they were last. The settings themselves come later, and are kept
// elsewhere; the page writes this copy of them (src/ui/look.rs).
{
  const root = document.documentElement;
  const last = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const theme = last("assent-theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const language = last("assent-language") ?? navigator.language;
  if (/^zh/i.test(language)) root.lang = "zh-CN";
}
