// Applies the stored light or dark theme. A plain script, so that it runs before the first paint
// and the page does not flash.

{
  const stored = localStorage.getItem("theme");
  if (stored === "light" || stored === "dark") document.documentElement.dataset.theme = stored;
}
