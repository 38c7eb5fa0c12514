//! The tags of a page, in order.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use std::cell::RefCell;

/// A tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its name, in lower case.
    pub name: String,
    /// Whether it closes an element.
    pub closes: bool,
    /// Whether it closes itself.
    pub closed: bool,
    /// Names and values.
    pub attributes: Vec<(String, String)>,
    /// The text directly after it.
    pub text: String,
}

impl Tag {
    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(found, _)| found == name).map(|(_, value)| &**value)
    }

    /// Whether it has this class.
    pub fn has_class(&self, class: &str) -> bool {
        self.get("class").is_some_and(|classes| classes.split_whitespace().any(|found| found == class))
    }
}

#[derive(Default)]
struct Sink(RefCell<Vec<Tag>>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => {
                let name = tag.name.to_string();
                let closes = tag.kind == TagKind::EndTag;
                // What is in these is no markup.
                let raw = match &*name {
                    "script" => Some(RawKind::ScriptData),
                    "style" => Some(RawKind::Rawtext),
                    _ => None,
                };
                self.0.borrow_mut().push(Tag {
                    name,
                    closes,
                    closed: tag.self_closing,
                    attributes: tag
                        .attrs
                        .iter()
                        .map(|attr| (attr.name.local.to_string(), attr.value.to_string()))
                        .collect(),
                    text: String::new(),
                });
                match raw {
                    Some(raw) if !closes => return TokenSinkResult::RawData(raw),
                    _ => {}
                }
            }
            Token::CharacterTokens(text) => {
                if let Some(tag) = self.0.borrow_mut().last_mut() {
                    tag.text.push_str(&text);
                }
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// The tags of `html`.
pub fn tags(html: &str) -> Vec<Tag> {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    let tokenizer = Tokenizer::new(Sink::default(), TokenizerOpts::default());
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_names_attributes_and_text_and_scripts_hold_none() {
        let found = tags("<p class='a b'>hey<img src=x /></p><script>\"<p>\"</script>");
        let names: Vec<_> = found.iter().map(|tag| (&*tag.name, tag.closes)).collect();
        assert_eq!(names, [("p", false), ("img", false), ("p", true), ("script", false), ("script", true)]);
        assert!(found[0].has_class("b") && found[0].text == "hey");
        assert_eq!(found[1].get("src"), Some("x"));
    }
}
