/**
 * Addresses of a list whose choices stand in its query: of a page by its number, with what is chosen now.
 * @param chosen by the name in the query; what is undefined or "" is not chosen
 * @returns a function that may choose otherwise by its second argument; there "" takes a choice away
 */
export const listAddress =
  (path: string, chosen: Readonly<Record<string, string | undefined>>) =>
  (page: number, otherwise: Readonly<Record<string, string | undefined>> = {}): string => {
    const choices = Object.entries({ ...chosen, ...otherwise }).flatMap(([name, value]): [string, string][] =>
      value ? [[name, value]] : [],
    );
    const query = new URLSearchParams([...choices, ...(page > 1 ? [["page", String(page)]] : [])]);
    return `${path}${query.size > 0 ? `?${query}` : ""}`;
  };
