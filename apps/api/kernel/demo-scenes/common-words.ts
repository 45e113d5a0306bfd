/** Words that say nothing about a topic: not searched for, not counted. */

const COMMON = new Set(
  `about after agent also because been before being between both chapter come could does doing down each even ever every
explain find from goes have here into just know less like made make many mean more most much must need never none notes
nothing only other over please said same says should show some something such tell than that their them then there these
they thing this those through time upon very want well were what when where which while whoever whom will with would
your yours`.split(/\s+/),
);
const FILLERS =
  /请|帮我|我想|知道|告诉|一下|关于|什么|怎么样?|怎样|为什么|如何|哪里|哪些|哪个|是不是|可以|这个|那个|一个|的|了|吗|呢|吧|是|在|有|和|与|你|我|它|把|被|给|讲|说说|看看|介绍|解释/g;
/** Characters whose pairs with others are grammar more often than topic. */
const GRAMMAR = /[的了是在有和与你我它把被给没一这那就也都只里上下个么什会到来去出而且但所以因为或者]/u;

/** English, letter case aside. */
export function isCommon(word: string): boolean {
  return COMMON.has(word.toLowerCase());
}

/** A Chinese question with a blank wherever it only asks. */
export function withoutFillers(question: string): string {
  return question.replace(FILLERS, " ");
}

/** Whether a pair of Chinese characters is grammar rather than topic. */
export function isGrammar(pair: string): boolean {
  return GRAMMAR.test(pair);
}
