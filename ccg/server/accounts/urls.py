"""Addresses about people: ours first, then allauth's."""

from django.urls import include, path

from . import own_settings, views

urlpatterns = [
    path("guest/", views.guest, name="guest"),
    path("accounts/login/", views.SignIn.as_view(), name="account_login"),
    path("accounts/signup/", views.SignUp.as_view(), name="account_signup"),
    path("accounts/upgrade/", views.SignUp.as_view(), name="account_upgrade"),
    path("accounts/me/", views.me, name="account_me"),
    path("accounts/settings/", own_settings.settings_page, name="account_settings"),
    path("accounts/settings/kept/", own_settings.KeptSettings.as_view(), name="account_settings_kept"),
    path("accounts/tokens/", views.tokens, name="account_tokens"),
    path("accounts/data/", views.own_data, name="account_data"),
    path("accounts/delete/", views.delete, name="account_delete"),
    path("accounts/open/", views.open_name, name="account_open"),
    path("accounts/email/", views.Addresses.as_view(), name="account_email"),
    path("accounts/password/change/", views.NewPassword.as_view(), name="account_change_password"),
    path("accounts/password/set/", views.FirstPassword.as_view(), name="account_set_password"),
    path("accounts/password/reset/", views.ForgottenPassword.as_view(), name="account_reset_password"),
    path("accounts/", include("allauth.account.urls")),
]
