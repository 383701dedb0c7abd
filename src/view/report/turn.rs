//! A question and what followed from it, in the order in which it happened.

use super::Writer;
use super::prose::prose;
use crate::agent::questions::{Answer, Question};
use crate::agent::record::{
    Event, EventBody, LookupRecord, ModelRecord, QuestionsRecord, TurnRecord,
};
use crate::view::notices;

impl Writer {
    pub(super) fn turn(&mut self, turn: &TurnRecord, number: usize) {
        self.class("article", "turn", |r| {
            r.class("header", "asked", |r| {
                r.html.leaf(
                    "span",
                    &[("class", "number"), ("aria-hidden", "true")],
                    &number.to_string(),
                );
                r.html.leaf(
                    "h2",
                    &[("class", "question"), ("dir", "auto")],
                    &turn.question,
                );
                r.class("p", "when", |r| {
                    r.html.text(r.w.asked);
                    r.html.text(" ");
                    r.time(turn.asked_at_ms);
                });
            });
            if turn.imported {
                r.leaf("p", "note warning", r.w.imported);
            }
            for (place, event) in turn.events.iter().enumerate() {
                let earlier = turn.events.get(..place).unwrap_or_default();
                r.event(event, earlier);
            }
        });
    }

    fn event(&mut self, event: &Event, earlier: &[Event]) {
        match &event.body {
            EventBody::Model(model) => self.model(model, earlier),
            EventBody::Lookup(lookup) => self.lookup(lookup),
            EventBody::Proposal(proposal) => self.query(proposal, event.at_ms),
            EventBody::Questions(questions) => self.questions(questions),
            EventBody::CannotAnswer { reason, .. } => self.class("section", "answer", |r| {
                r.leaf("h3", "part", r.t.cannot_answer);
                r.html.leaf("p", &[("dir", "auto")], reason);
            }),
            EventBody::Notice(notice) => {
                let said = notices::notice(notice, self.language);
                self.leaf("p", "note", &said.text);
            }
        }
    }

    /// Words that unfold; a printed report shows them.
    pub(super) fn folded(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        self.class("details", "fold", |r| {
            r.html.leaf("summary", &[], name);
            r.class("div", "folded", inside);
        });
    }

    fn model(&mut self, model: &ModelRecord, earlier: &[Event]) {
        if !model.thought.is_empty() {
            let seconds = model.thought_ms.div_ceil(1000).max(1);
            self.folded(&(self.t.thought_for)(seconds), |r| {
                r.html.leaf(
                    "p",
                    &[("class", "as-written"), ("dir", "auto")],
                    &model.thought,
                );
            });
        }
        if model.text.is_empty() {
            return;
        }
        if !model.answer {
            prose(&mut self.html, &model.text);
            if model.partial {
                self.leaf("p", "note", self.w.partial);
            }
            return;
        }
        let has_rows = earlier
            .iter()
            .any(|e| matches!(&e.body, EventBody::Proposal(p) if p.result.is_some()));
        self.class("section", "answer", |r| {
            r.leaf("h3", "part", r.w.answer);
            prose(&mut r.html, &model.text);
            if !model.unsupported.is_empty() {
                let text = (r.t.unsupported)(&model.unsupported.join(", "));
                r.leaf("p", "note warning", &text);
            }
            if !has_rows {
                r.leaf("p", "note", r.t.without_rows);
            }
        });
    }

    fn lookup(&mut self, lookup: &LookupRecord) {
        let name = format!("{} {}", (self.t.lookup)(&lookup.tool), lookup.subject);
        self.folded(name.trim(), |r| {
            if lookup.failed {
                r.leaf("p", "note warning", r.w.lookup_failed);
            }
            r.html.leaf(
                "pre",
                &[("class", "as-written"), ("tabindex", "0")],
                &lookup.told,
            );
        });
    }

    fn questions(&mut self, record: &QuestionsRecord) {
        self.class("section", "asked-back", |r| {
            let title = record.card.title.trim();
            r.leaf(
                "h3",
                "part",
                if title.is_empty() {
                    r.t.question_title
                } else {
                    title
                },
            );
            r.class("dl", "replies", |r| {
                for question in &record.card.questions {
                    let answers = record.answers.as_deref().unwrap_or_default();
                    let answer = answers.iter().find(|a| a.question == question.id);
                    let said = answer.map(|a| reply(question, a)).unwrap_or_default();
                    r.html.leaf("dt", &[("dir", "auto")], &question.question);
                    r.html.leaf(
                        "dd",
                        &[("dir", "auto")],
                        if record.skipped {
                            r.w.best_guess
                        } else if said.is_empty() {
                            r.w.no_reply
                        } else {
                            &said
                        },
                    );
                }
            });
        });
    }
}

fn reply(question: &Question, answer: &Answer) -> String {
    let label = |id: &String| {
        let option = question.options.iter().find(|o| o.id == *id);
        option.map_or_else(|| id.clone(), |o| o.label.clone())
    };
    let mut said: Vec<String> = answer.options.iter().map(label).collect();
    said.extend(answer.text.clone().filter(|text| !text.trim().is_empty()));
    said.join("; ")
}
