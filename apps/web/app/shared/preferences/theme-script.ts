/** Runs before the first paint: a remembered theme, else the system's. Kept tiny because it blocks rendering. */
export const themeScript = `(function(d){var t=d.dataset.theme;try{t=localStorage.getItem("theme")||t}catch(e){}
if(t!=="light"&&t!=="dark")t=matchMedia("(prefers-color-scheme:dark)").matches?"dark":"light";d.dataset.theme=t})(document.documentElement)`;
