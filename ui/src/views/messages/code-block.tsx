import { common, createLowlight } from "lowlight";
import type { ReactNode } from "react";
import { useTurn } from "../../app/use-turn.js";
import { RecentValues } from "../../model/recent-values.js";
import { TextBlock } from "../parts/text-block.js";
import styles from "./code-block.module.css";

const lowlight = createLowlight(common);

/** Longer code is shown without colours: highlighting it would block the page. */
const MAX_COLOURED = 4000;

const highlighted = new RecentValues<ReactNode>(200);

interface CodeBlockProps {
  readonly text: string;
  readonly language: string;
  readonly length?: number;
  readonly whole?: () => Promise<string>;
}

/** Code in colours, where its language is known and it is short. */
export default function CodeBlock({ text, language, length = text.length, whole }: CodeBlockProps) {
  const coloured = length <= MAX_COLOURED && lowlight.registered(language);
  const key = `${language} ${text}`;
  const isOurTurn = useTurn(highlighted.has(key));
  if (!coloured) return <TextBlock text={text} length={length} {...(whole === undefined ? {} : { whole })} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
    <pre className={styles.code} tabIndex={0}>
      {isOurTurn ? highlighted.get(key, () => lowlight.highlight(language, text).children.map(render)) : text}
    </pre>
  );
}

/** A node of the highlighter's tree: a text, or an element. Of an element only the class names are used. */
interface Coloured {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly Coloured[];
}

function render(node: Coloured, index: number): ReactNode {
  if (node.type === "text") return node.value;
  const names = Array.isArray(node.properties?.className) ? node.properties.className : [];
  const kind = String(names[0] ?? "").replace("hljs-", "");
  return (
    <span key={index} data-code={kind}>
      {node.children?.map(render)}
    </span>
  );
}
