import type { ComponentType, ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { RecentValues } from "../../model/text/recent-values.js";
import { STRINGS } from "../../strings/strings.js";
import CodeBlock from "./code-block.js";
import styles from "./markdown.module.css";
import { useTurn } from "./use-turn.js";

/** Only strings, because they come from a text. */
interface MarkdownProps {
  readonly className?: string;
  readonly href?: string;
  readonly src?: string;
  readonly alt?: string;
  readonly checked?: boolean;
  readonly children?: ReactNode;
}

/**
 * HTML stays text: it is never parsed. Links lose schemes that could run something, and images are named instead of loaded, because
 * nothing may load from elsewhere.
 */
const COMPONENTS: { readonly [tag: string]: ComponentType<MarkdownProps> } = {
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) => {
    const text = textOf(children);
    const language = /language-(\w+)/.exec(className ?? "")?.[1];
    if (language === undefined && !text.includes("\n")) return <code>{text}</code>;
    return <CodeBlock text={text.replace(/\n$/, "")} language={language ?? ""} />;
  },
  img: ({ src, alt }) => (
    <span className={styles.image}>
      {STRINGS.images.elsewhere}: {alt} {src?.slice(0, 200)}
    </span>
  ),
  a: ({ href = "", children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ),
  // Lowers headings, because the page has its own.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
    <div className={styles.table} tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => <span aria-hidden="true">{checked ? "☑" : "☐"}</span>,
};

/** Caches texts that scroll out of view and back. */
const rendered = new RecentValues<ReactNode>(200);

export default function Markdown({ text }: { readonly text: string }) {
  if (!useTurn(rendered.has(text))) return <div className={styles.plain}>{text}</div>;
  const content = rendered.get(text, () =>
    // A function call without hooks, so that the result can be cached.
    ReactMarkdown({ remarkPlugins: [remarkGfm], components: COMPONENTS as Components, children: text }),
  );
  return <div className={styles.markdown}>{content}</div>;
}

function textOf(children: ReactNode): string {
  if (typeof children === "string") return children;
  return Array.isArray(children) ? children.map(textOf).join("") : "";
}
