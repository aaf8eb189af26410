import { Component, type ReactNode } from "react";
import { FileTries } from "../../app/page-files.js";
import { isMissingFile } from "../../model/text/error-text.js";

interface ErrorBoundaryProps {
  readonly fallback: ReactNode | ((failure: Failure) => ReactNode);
  readonly children: ReactNode;
}

interface Failure {
  readonly error: unknown;
  /** The server has this page without the file. */
  readonly isLasting: boolean;
  retry(): void;
}

interface ErrorBoundaryState {
  readonly failure: { readonly error: unknown; readonly isLasting: boolean } | undefined;
}

/** Contains failures. Another `key` tries again; a missing file is retried once the server has the page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: undefined };
  readonly #tries = new FileTries();
  #isMounted = true;

  static override getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failure: { error, isLasting: false } };
  }

  /** To the listeners of the page. */
  override componentDidCatch(error: unknown): void {
    reportError(error);
    if (isMissingFile(error)) void this.#retryLater(error);
  }

  override componentWillUnmount(): void {
    this.#isMounted = false;
  }

  async #retryLater(error: unknown): Promise<void> {
    const isWorthIt = await this.#tries.wait();
    if (!this.#isMounted) return;
    this.setState({ failure: isWorthIt ? undefined : { error, isLasting: true } });
  }

  override render(): ReactNode {
    const { failure } = this.state;
    const { fallback, children } = this.props;
    if (failure === undefined) return children;
    const retry = () => this.setState({ failure: undefined });
    return typeof fallback === "function" ? fallback({ ...failure, retry }) : fallback;
  }
}
