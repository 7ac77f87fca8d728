import { Button, TextInput } from "@mantine/core";
import { IconLinkOff } from "@tabler/icons-react";
import { type FormEvent, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useText } from "../../app/i18n.tsx";
import { tokenIn } from "../../app/link_token.ts";
import { EmptyState } from "../display/empty_state.tsx";
import classes from "./incomplete_link.module.css";

/** For a link that arrived without its token, as some mail filters cut off the fragment: the whole link can be pasted. */
export function IncompleteLink() {
  const text = useText();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  function submit(event: FormEvent) {
    event.preventDefault();
    const token = tokenIn(typed);
    setWrong(token === undefined);
    if (token === undefined) field.current?.focus();
    else navigate({ pathname, hash: new URLSearchParams({ t: token }).toString() });
  }
  return (
    <form onSubmit={submit} noValidate>
      <EmptyState order={2} icon={IconLinkOff} tone="alarm" title={text("link.incomplete")}>
        {text("link.incomplete_text")}
      </EmptyState>
      <div className={classes.pasted}>
        <TextInput
          ref={field}
          label={text("link.whole")}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          error={isWrong && text("link.wrong")}
        />
        <Button type="submit" size="md" fullWidth>
          {text("link.open")}
        </Button>
      </div>
    </form>
  );
}
