import { type ContractHappening, contractHistory } from "@herdwise/contract";
import { list, text } from "@herdwise/contract/resource";
import { useMemo } from "react";
import { Link } from "react-router";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { Happenings, useTitle } from "../../shared/contracts/contract-parts.tsx";
import { contractPaths } from "../../shared/contracts/words.ts";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { knownId } from "../../shared/lists/list-address.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { useList } from "../../shared/resource/use-list.ts";
import { contractListName } from "./contract-key.ts";

const historyList = list({
  name: contractListName,
  path: "/api/muyuan-contract/contract",
  page: contractHistory.path,
  words: { one: "合同记录", many: "合同记录" },
  title: "title",
  fields: { title: text("名称", { max: 60 }) },
});

/** Who did what with the customer's contracts, and when; or with one of them. */
export function ContractRecord() {
  const t = useTranslate();
  const titleOf = useTitle();
  const [search, change] = useAddressValues();
  const id = knownId(search.get("id"));
  const history = useList(useMemo(() => (id ? { ...historyList, given: { id } } : historyList), [id]));
  const first = history.rows?.[0];
  return (
    <ListScreen
      list={history}
      crumbs={[{ name: t("合同"), to: contractPaths.list }, { name: t("合同记录") }]}
      note={
        id &&
        first && (
          <Link className="link num" to={`${contractPaths.detail}?id=${id}`}>
            {titleOf(first as unknown as ContractHappening)} {String(first.number)}
          </Link>
        )
      }
      head={id && <Button onPress={() => change({ id: undefined, page: undefined })}>{t("看全部合同的记录")}</Button>}
      nothing="发出、打开、签署、退回，谁在什么时候做的，都记在这里。"
      rows={(rows) => (
        <Happenings
          happenings={rows as readonly unknown[] as readonly ContractHappening[]}
          // Of one contract the heading says which it is.
          {...(!id && { linkOf: ({ contractId }) => `${contractPaths.detail}?id=${contractId}` })}
        />
      )}
    />
  );
}
