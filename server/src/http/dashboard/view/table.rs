//! Tables, and the way from one page of a list to the next.

use maud::{Markup, html};

use super::super::visit::Visit;

/// A column.
#[derive(Debug, Clone)]
pub(in crate::http::dashboard) struct Column {
    name: String,
    is_number: bool,
    is_hidden: bool,
}

impl Column {
    /// A column of texts.
    pub(in crate::http::dashboard) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), is_number: false, is_hidden: false }
    }

    /// A column of numbers, which stand at the right.
    pub(in crate::http::dashboard) fn number(name: impl Into<String>) -> Self {
        Self { is_number: true, ..Self::new(name) }
    }

    /// A column of buttons, whose name is there for screen readers alone.
    pub(in crate::http::dashboard) fn actions(name: impl Into<String>) -> Self {
        Self { is_hidden: true, ..Self::new(name) }
    }
}

/// The beginnings of elements that take the focus. In a text, `<` is escaped.
const FOCUSABLE: [&str; 5] = ["<a ", "<button", "<input", "<select", "<summary"];

/// A table. Each row has a cell for each column; the first cell names the row. On narrow screens a row becomes a card, whose
/// cells bear the names of their columns. A table that is wider than its place scrolls: if nothing in it takes the focus, it does
/// itself, so that the arrow keys scroll it.
pub(in crate::http::dashboard) fn table(caption: &str, columns: &[Column], rows: &[Vec<Markup>]) -> Markup {
    let takes_focus = |cell: &Markup| FOCUSABLE.iter().any(|element| cell.0.contains(element));
    let is_focusable = !rows.iter().flatten().any(takes_focus);
    html! {
        div.table-box role=[is_focusable.then_some("region")] aria-label=[is_focusable.then_some(caption)]
            tabindex=[is_focusable.then_some("0")] {
            table {
                caption.visually-hidden { (caption) }
                thead {
                    tr {
                        @for column in columns {
                            th scope="col" .number[column.is_number] {
                                span .visually-hidden[column.is_hidden] { (column.name) }
                            }
                        }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (index, (column, cell)) in columns.iter().zip(row).enumerate() {
                                @if index == 0 {
                                    th scope="row" data-name=(column.name) .number[column.is_number] { (cell) }
                                } @else {
                                    td data-name=[(!column.is_hidden).then_some(&column.name)] .number[column.is_number]
                                        .row-actions[column.is_hidden] { (cell) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Links to the first and to the next page of the list at `path`, which may be another path than that of a form that shows the
/// list again. `next` is the cursor that the list gave; the page reads it as the field `after` of its query.
pub(in crate::http::dashboard) fn pager(visit: &Visit, path: &str, next: Option<&str>) -> Markup {
    let is_first = visit.query.get("after").is_none();
    html! {
        @if !is_first || next.is_some() {
            nav.pager aria-label=(visit.t("common.pages")) {
                @if !is_first {
                    a.button.secondary href={ (path) (visit.query.with("after", None)) } { (visit.t("common.first")) }
                }
                @if next.is_some() {
                    a.button.secondary rel="next" href={ (path) (visit.query.with("after", next)) } { (visit.t("common.next")) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_the_focus_if_nothing_in_it_does() {
        let shown = |cell: Markup| table("Runs", &[Column::new("Run")], &[vec![html! { "one" }], vec![cell]]).0;
        let own = "<div class=\"table-box\" role=\"region\" aria-label=\"Runs\" tabindex=\"0\">";
        assert!(shown(html! { "<a href>" }).starts_with(own), "a text is no link");
        for cell in [html! { a href="/" { "two" } }, html! { form { button { "End" } } }, html! { input name="a"; }] {
            assert!(shown(cell).starts_with("<div class=\"table-box\"><table>"));
        }
    }
}
