import { type KeyboardEvent, type SyntheticEvent, useState } from "react";

type Tip = { label: string; top: number };

/**
 * The tooltip of the hovered or focused element among those with `data-tip`. It stays while the pointer is over it, and
 * Escape closes it.
 */
export function useTip(enabled: boolean) {
  const [tip, setTip] = useState<Tip>();
  const hide = () => setTip(undefined);
  function show({ target }: SyntheticEvent) {
    const element = target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;
    if (!element) return;
    const { top, height } = element.getBoundingClientRect();
    setTip({ label: element.dataset.tip ?? "", top: top + height / 2 });
  }
  const onKeyDown = ({ key }: KeyboardEvent) => key === "Escape" && hide();
  const watch = { onMouseOver: show, onFocus: show, onMouseLeave: hide, onBlur: hide, onScroll: hide, onKeyDown };
  return enabled ? { tip, watch } : { tip: undefined, watch: {} };
}
