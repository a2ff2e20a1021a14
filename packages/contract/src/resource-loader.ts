import type { ResourceDeclaration } from "./resource/index.ts";
import { resourceNamed } from "./resources.ts";

/** Loads a declaration by its name; the web app's build puts each into a chunk of its own. */
export const loadResource = async (name: string): Promise<ResourceDeclaration | undefined> => resourceNamed(name);
