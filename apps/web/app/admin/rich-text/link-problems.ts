import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { type EditorState, Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

/** Links with a problem, each with what is wrong with it in the chosen language. */
export type LinkProblems = ReadonlyMap<string, string>;

interface Marked {
  problems: LinkProblems;
  decorations: DecorationSet;
}

const key = new PluginKey<Marked>("linkProblems");

function decorationsOf(document: Node, problems: LinkProblems, className: string): DecorationSet {
  if (problems.size === 0) return DecorationSet.empty;
  const found: Decoration[] = [];
  document.descendants((node, at) => {
    const href: unknown = node.marks.find(({ type }) => type.name === "link")?.attrs.href;
    const problem = typeof href === "string" ? problems.get(href) : undefined;
    if (problem !== undefined)
      found.push(Decoration.inline(at, at + node.nodeSize, { class: className, title: problem }));
  });
  return DecorationSet.create(document, found);
}

/** Marks links with a problem where they stand in the text. */
export const linkProblemMarks = (className: string) =>
  Extension.create({
    name: "linkProblems",
    addProseMirrorPlugins: () => [
      new Plugin<Marked>({
        key,
        state: {
          init: () => ({ problems: new Map(), decorations: DecorationSet.empty }),
          apply(transaction, held) {
            const told = transaction.getMeta(key) as LinkProblems | undefined;
            if (told === undefined && !transaction.docChanged) return held;
            const problems = told ?? held.problems;
            return { problems, decorations: decorationsOf(transaction.doc, problems, className) };
          },
        },
        props: { decorations: (state) => key.getState(state)?.decorations },
      }),
    ],
  });

/** A change of the editor that tells it the problems of its links. */
export const tellLinkProblems = (state: EditorState, problems: LinkProblems) => state.tr.setMeta(key, problems);
