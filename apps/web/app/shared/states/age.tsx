import { useFormats } from "../language/use-language.ts";
import { useNow } from "./use-now.ts";

/** How old a value is, counting on by itself. */
export function Age({ atMs }: { atMs: number }) {
  const formats = useFormats();
  const age = formats.age(useNow() - atMs);
  return (
    <time className="age" dateTime={new Date(atMs).toISOString()} suppressHydrationWarning>
      {age}
    </time>
  );
}
