import { useState } from "react";

const KEY = "sidebar";

/** Whether the sidebar is collapsed, as chosen on this device. */
export function useNarrow() {
  const [narrow, setNarrow] = useState(() => localStorage.getItem(KEY) === "narrow");
  function toggle() {
    localStorage.setItem(KEY, narrow ? "wide" : "narrow");
    setNarrow(!narrow);
  }
  return [narrow, toggle] as const;
}
