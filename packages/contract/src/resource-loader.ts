import type { ResourceDeclaration } from "./resource/index.ts";
import { resourceNamed } from "./resources.ts";

/** A declaration by its name. The web app's build puts each into a chunk of its own, fetched when it is asked for. */
export const loadResource = async (name: string): Promise<ResourceDeclaration | undefined> => resourceNamed(name);
