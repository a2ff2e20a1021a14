import type { ExpressionBuilder } from "kysely";
import type { DB } from "./generated/database.ts";

/** A word as a part of a LIKE pattern: what has a meaning there stands for itself. */
export const likeWord = (word: string): string => `%${word.replace(/[\\%_]/g, "\\$&")}%`;

/**
 * Accounts of a number. As long as somebody proved it by a code, accounts for which an administrator merely typed it do not
 * count: nobody can crowd another out by naming their number.
 * @param indexes of the number, by every key
 */
export const ofPhone = (where: ExpressionBuilder<DB, "accounts">, indexes: readonly Buffer[]) =>
  where.and([
    where("phoneIndex", "in", [...indexes]),
    where.or([
      where("phoneVerifiedAt", "is not", null),
      where.not(
        where.exists(
          where
            .selectFrom("accounts as owner")
            .select("owner.id")
            .where("owner.phoneIndex", "in", [...indexes])
            .where("owner.phoneVerifiedAt", "is not", null),
        ),
      ),
    ]),
  ]);
