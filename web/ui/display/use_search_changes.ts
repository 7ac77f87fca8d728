import { useLayoutEffect, useRef } from "react";
import { type NavigateOptions, useSearchParams } from "react-router";

/**
 * What the page's address says after its `?`, and how to change it. A change begins with what was wanted last: the address
 * itself changes only once the server has let the page in again, and by then there may be a second change.
 */
export function useSearchChanges() {
  const [params, setParams] = useSearchParams();
  const wanted = useRef(params);
  useLayoutEffect(() => {
    wanted.current = params;
  }, [params]);
  function change(to: (current: URLSearchParams) => URLSearchParams, options: NavigateOptions): void {
    wanted.current = to(wanted.current);
    setParams(wanted.current, options);
  }
  return { params, change };
}
