/** `read`, whose results are remembered for the texts that are asked for again and again; forgets all of them at `most`. */
export function remembered<Value>(read: (text: string) => Value, most = 2000): (text: string) => Value {
  const values = new Map<string, Value>();
  return (text) => {
    const known = values.get(text);
    if (known !== undefined) return known;
    if (values.size === most) values.clear();
    const value = read(text);
    values.set(text, value);
    return value;
  };
}
