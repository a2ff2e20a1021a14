import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useEffect, useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { useAddressValues } from "../address/use-address.ts";
import { useTranslate } from "../language/use-language.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { useAccess } from "../session/access-context.ts";
import { AccessReasons } from "./access-reasons.tsx";

/** Staff see the roles of every tenant, whose names repeat: their list begins with those of the own organization. */
function useOwnFirst(of: ResourceDeclaration): ResourceDeclaration {
  const { user } = useAccess();
  const [search, change] = useAddressValues();
  const ofGroup = user.tenant_type === "group";
  useEffect(() => {
    if (ofGroup && search.size === 0) change({ "f.tenantId": user.tenant_id });
    // Only where the list is opened: whoever then chooses all roles wants them.
  }, []);
  return useMemo(
    () => (ofGroup ? { ...of, views: [{ id: "own", name: "本组织", where: { tenantId: user.tenant_id } }] } : of),
    [of, ofGroup, user.tenant_id],
  );
}

/** The list of roles, with the way from each to what it grants. */
export function RoleScreen({ of: declared }: { of: ResourceDeclaration }) {
  const of = useOwnFirst(declared);
  const t = useTranslate();
  const navigate = useNavigate();
  const [wondering, setWondering] = useState(false);
  return (
    <>
      <ResourceScreen
        of={of}
        actionsOnAll={[{ id: "reasons", icon: "help", name: t("为什么看不到"), onAction: () => setWondering(true) }]}
        actions={({ id }) => [
          {
            id: "grants",
            icon: "key",
            name: t("角色授权"),
            onAction: () => void navigate(`${location.pathname.replace(/\/+$/, "")}/grants?id=${id}`),
          },
        ]}
      />
      {wondering && <AccessReasons onClose={() => setWondering(false)} />}
    </>
  );
}
