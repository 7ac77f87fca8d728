import { type Action, useActionOn } from "../forms/action.ts";

/** An action on a contact. */
export function useContactAction<Answer, Input = void>(action: Action<Input, Answer>) {
  return useActionOn(["/api/contacts"], action);
}
