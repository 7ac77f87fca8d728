import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";

const TYPING_MS = 300;

type Props = {
  label: string;
  className: string | undefined;
  /** The longest search. */
  most: number;
  value: string;
  onSearch: (search: string) => void;
};

/** Debounces the search, so that the server gets whole words. */
export function SearchField({ label, className = "", most, value, onSearch }: Props) {
  const [typed, setTyped] = useState(value);
  const asked = useRef(value);
  const search = useDebouncedCallback((words: string) => {
    asked.current = words;
    onSearch(words);
  }, TYPING_MS);
  useEffect(() => {
    // Updates the field when a link or the back button has changed the search.
    if (value === asked.current) return;
    search.cancel();
    asked.current = value;
    setTyped(value);
  }, [value, search]);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={18} aria-hidden="true" />}
      className={className}
      wrapperProps={{ "data-words": label }}
      maxLength={most}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        search(currentTarget.value.trim());
      }}
    />
  );
}
