/** A model as its vendor's price list names it. */
export interface ListedModel {
  readonly model: string;
  /** `""` where nobody says who served it: then it is the vendor whose name it is. */
  readonly provider: string;
}

/** What stands in front of a name in Google's APIs: it says in which catalogue the model is. */
const RESOURCE = /^(?:publishers\/[\w-]+\/)?models\//;

/** Claude Code's mark of a context of a million tokens: it is no part of the name that it asks the vendor for. */
const LONG_CONTEXT = /\[1m\]$/;

/** A model of Amazon Bedrock: an address, or a vendor in front of a dot, and perhaps a region in front of that. */
const BEDROCK =
  /^(?:arn:aws[\w-]*:bedrock:|(?:[\w-]{1,8}\.)?(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral)\.)/;

/** @param model as it was recorded */
export function listedModel(model: string, provider: string): ListedModel {
  const name = model.replace(RESOURCE, "").replace(LONG_CONTEXT, "");
  return { model: name, provider: provider === "" && BEDROCK.test(name) ? "aws" : provider };
}
