/** An email address that, where it must wrap, wraps after its "@" first. */
export function Address({ children }: { children: string }) {
  const at = children.lastIndexOf("@") + 1;
  return (
    <span className="breakable">
      {children.slice(0, at)}
      <wbr />
      {children.slice(at)}
    </span>
  );
}
