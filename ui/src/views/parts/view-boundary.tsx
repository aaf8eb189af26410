import { Component, type ReactNode } from "react";
import { STRINGS } from "../../strings.js";
import { Notice } from "./notice.js";

interface Props {
  readonly children: ReactNode;
}

/**
 * In the place of a view that could not be drawn. A view comes with files of its own: they are not there while the application
 * is away, nor once another build of the page took this one's place. Loading the page again mends both.
 */
export class ViewBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    const { problems } = STRINGS;
    return (
      <Notice title={problems.viewFailed}>
        <p>{problems.viewFailedHint}</p>
        <button type="button" onClick={() => location.reload()}>
          {problems.reload}
        </button>
      </Notice>
    );
  }
}
