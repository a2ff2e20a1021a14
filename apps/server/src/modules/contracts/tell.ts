interface Named {
  id: string;
  number: string;
  title: string;
}

export const customerLink = ({ id }: Pick<Named, "id">): string => `/selfCenter/contractManage/detail?id=${id}`;
export const deskLink = ({ id }: Pick<Named, "id">): string => `/customer/contract/detail?id=${id}`;
/** What a message says beside its title: names, of which each is shown in the reader's language. */
export const contentOf = ({ number, title }: Pick<Named, "number" | "title">): string =>
  `${number} · ${title.replaceAll(" · ", " ")}`;
