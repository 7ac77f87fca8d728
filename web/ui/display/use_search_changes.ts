import { useLayoutEffect, useRef } from "react";
import { type NavigateOptions, useSearchParams } from "react-router";

/**
 * The query string's parameters and a function to change them. A change builds on the last requested one, since the URL
 * changes only after the route loader's session check and a second change may come before that.
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
